/* Command lines and timers as NVIDIA's samples have them. */
#ifndef WARPWISE_HELPER_FUNCTIONS_H
#define WARPWISE_HELPER_FUNCTIONS_H

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

bool checkCmdLineFlag(int Count, const char **Arguments, const char *Name);
int getCmdLineArgumentInt(int Count, const char **Arguments, const char *Name);
float getCmdLineArgumentFloat(int Count, const char **Arguments,
                              const char *Name);
bool getCmdLineArgumentString(int Count, const char **Arguments,
                              const char *Name, char **Value);
char *sdkFindFilePath(const char *File, const char *Program);

class StopWatchInterface;
bool sdkCreateTimer(StopWatchInterface **Timer);
bool sdkDeleteTimer(StopWatchInterface **Timer);
bool sdkStartTimer(StopWatchInterface **Timer);
bool sdkStopTimer(StopWatchInterface **Timer);
bool sdkResetTimer(StopWatchInterface **Timer);
float sdkGetTimerValue(StopWatchInterface **Timer);
float sdkGetAverageTimerValue(StopWatchInterface **Timer);

#endif
