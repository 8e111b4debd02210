// Two members of a by-value struct, both known, are loaded as one vector.

struct Setup {
  int Width, Height;
  float Scale;
  const float *Image;
  short Offsets[4];
};

__global__ void setUp(Setup S, float *Out) {
  int X = threadIdx.x, Y = blockIdx.x;
  if (X < S.Width && Y < S.Height)
    Out[Y * S.Width + X] = S.Scale * S.Image[Y * S.Width + X];
}

int main() {
  float *Out;
  cudaMalloc(&Out, 1 << 16);
  Setup S;
  S.Width = 50;
  S.Height = 2;
  S.Scale = 2;
  setUp<<<3, 64>>>(S, Out);
}
