/* For machines whose compiler comes without OpenMP. */
#ifndef WARPWISE_OMP_H
#define WARPWISE_OMP_H
#ifdef __cplusplus
extern "C" {
#endif
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
void omp_set_num_threads(int Threads);
double omp_get_wtime(void);
#ifdef __cplusplus
}
#endif
#endif
