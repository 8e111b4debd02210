#pragma once
#include <x86intrin.h>
#include <cstdio>
#include <cstdint>
#include <sys/resource.h>
namespace tm4 {
struct T { const char*N; uint64_t C=0,K=0,F=0; };
inline T Ts[64]; inline int Nt=0;
inline T& get(const char*N){ Ts[Nt].N=N; return Ts[Nt++]; }
inline long flt(){ rusage r; getrusage(RUSAGE_SELF,&r); return r.ru_minflt; }
struct S { T&X; uint64_t B; S(T&X):X(X),B(__rdtsc()){} ~S(){X.C+=__rdtsc()-B;++X.K;} };
inline void dump(const char*W,double sec,long f){ FILE*F=fopen("/tmp/h4.log","a"); if(!F) return; fprintf(F,"== %s %.3f ms faults %ld\n",W,sec*1e3,f); for(int i=0;i<Nt;i++){ if(Ts[i].K) fprintf(F,"   %-22s %8.3f ms %8lu calls\n",Ts[i].N,Ts[i].C/2.596e6,(unsigned long)Ts[i].K); Ts[i].C=Ts[i].K=0;} fclose(F);} 
}
#define TM(name) static tm4::T&tmT=tm4::get(name); tm4::S tmS(tmT)
