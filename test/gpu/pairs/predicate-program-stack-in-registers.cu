// Rule: cuda-memory-local-array
// A column store interprets an expression, compiled for a stack machine, for
// each of four million rows. The stack is an array under a moving index, which
// the compiler puts into local memory, or four scalars that move at each push
// and pop.
#include "Pair.cuh"

constexpr int Rows = 1 << 22, Columns = 6;

enum Operation { Load, Literal, Add, Subtract, Multiply, Less, Greatest };

struct Instruction {
  int Op, Column;
  float Value;
};

/// (a * b + 0.25 < c) * (d - 0.5 * e) + max(f * a, b - c) * (e < 0.75) - 0.125
__constant__ Instruction Program[] = {
    {Load, 0, 0},       {Load, 1, 0},        {Multiply, 0, 0},
    {Literal, 0, 0.25}, {Add, 0, 0},         {Load, 2, 0},
    {Less, 0, 0},       {Load, 3, 0},        {Literal, 0, 0.5},
    {Load, 4, 0},       {Multiply, 0, 0},    {Subtract, 0, 0},
    {Multiply, 0, 0},   {Load, 5, 0},        {Load, 0, 0},
    {Multiply, 0, 0},   {Load, 1, 0},        {Load, 2, 0},
    {Subtract, 0, 0},   {Greatest, 0, 0},    {Load, 4, 0},
    {Literal, 0, 0.75}, {Less, 0, 0},        {Multiply, 0, 0},
    {Add, 0, 0},        {Literal, 0, 0.125}, {Subtract, 0, 0}};
constexpr int Length = sizeof(Program) / sizeof(Program[0]);

__device__ float combined(int Op, float Left, float Right) {
  switch (Op) {
  case Add:
    return Left + Right;
  case Subtract:
    return Left - Right;
  case Multiply:
    return Left * Right;
  case Less:
    return Left < Right ? 1.0f : 0.0f;
  default:
    return fmaxf(Left, Right);
  }
}

__global__ void before(const float *__restrict__ Table,
                       float *__restrict__ Result, int Count) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Stack[4];
  int Top = -1;
  for (int I = 0; I < Count; ++I) {
    const Instruction Now = Program[I];
    if (Now.Op == Load) {
      Stack[++Top] = Table[Now.Column * Rows + Row];
    } else if (Now.Op == Literal) {
      Stack[++Top] = Now.Value;
    } else {
      const float Right = Stack[Top--];
      Stack[Top] = combined(Now.Op, Stack[Top], Right);
    }
  }
  Result[Row] = Stack[Top];
}

__global__ void after(const float *__restrict__ Table,
                      float *__restrict__ Result, int Count) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Top = 0, Second = 0, Third = 0, Fourth = 0;
  for (int I = 0; I < Count; ++I) {
    const Instruction Now = Program[I];
    if (Now.Op == Load || Now.Op == Literal) {
      Fourth = Third;
      Third = Second;
      Second = Top;
      Top = Now.Op == Load ? Table[Now.Column * Rows + Row] : Now.Value;
    } else {
      Top = combined(Now.Op, Second, Top);
      Second = Third;
      Third = Fourth;
    }
  }
  Result[Row] = Top;
}

int main() {
  const float *Table = input<float>(size_t(Columns) * Rows);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("predicate-program-stack-in-registers");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 256, 256>>>(Table, Expected, Length);
    else
      after<<<Rows / 256, 256>>>(Table, Out, Length);
}
