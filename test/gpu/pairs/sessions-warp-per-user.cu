// Rule: cuda-memory-uncoalesced-access
// Sessions of each user of a web site (visits more than half an hour apart
// start a new one) and the seconds spent in them, from events sorted by user
// and time: a thread walks the events of its user, or a warp does.
#include "Pair.cuh"

constexpr int Users = 131001, Pause = 1800;

__global__ void before(const int *__restrict__ Begin,
                       const int *__restrict__ Time, int *__restrict__ Sessions,
                       int *__restrict__ Active) {
  const int User = blockIdx.x * blockDim.x + threadIdx.x;
  if (User >= Users)
    return;
  int Pauses = 0, Seconds = 0;
  for (int I = Begin[User] + 1; I < Begin[User + 1]; ++I) {
    const int Gap = Time[I] - Time[I - 1];
    if (Gap > Pause)
      ++Pauses;
    else
      Seconds += Gap;
  }
  Sessions[User] = Pauses + 1;
  Active[User] = Seconds;
}

__global__ void after(const int *__restrict__ Begin,
                      const int *__restrict__ Time, int *__restrict__ Sessions,
                      int *__restrict__ Active) {
  const int User = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  if (User >= Users)
    return;
  int Pauses = 0, Seconds = 0;
  for (int I = Begin[User] + 1 + Lane; I < Begin[User + 1]; I += 32) {
    const int Gap = Time[I] - Time[I - 1];
    if (Gap > Pause)
      ++Pauses;
    else
      Seconds += Gap;
  }
  Pauses = __reduce_add_sync(~0u, Pauses);
  Seconds = __reduce_add_sync(~0u, Seconds);
  if (Lane > 0)
    return;
  Sessions[User] = Pauses + 1;
  Active[User] = Seconds;
}

int main() {
  std::vector<int> Begins(1, 0), Times;
  for (int User = 0; User < Users; ++User) {
    // A quarter of the users come often.
    const int Events = 1 + mixed(User) % (User % 4 == 0 ? 256 : 64);
    int Now = mixed(Users + User) % 86400;
    for (int I = 0; I < Events; ++I) {
      Times.push_back(Now);
      Now += mixed(Times.size() * 7919) % 2400;
    }
    Begins.push_back(int(Times.size()));
  }
  const int *Begin = onDevice(Begins), *Time = onDevice(Times);
  int *Expected = output<int>(2 * Users), *Out = output<int>(2 * Users);
  Pair P("sessions-warp-per-user");
  P.same(Expected, Out, 2 * Users);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Users + 127) / 128, 128>>>(Begin, Time, Expected,
                                           Expected + Users);
    else
      after<<<(Users + 3) / 4, 128>>>(Begin, Time, Out, Out + Users);
}
