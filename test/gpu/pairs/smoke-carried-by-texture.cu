// Rule: cuda-memory-gather
// Smoke is carried by its velocity: each cell traces back and interpolates
// between four. Plain loads with clamped indices, or a texture, whose cache is
// meant for two dimensions and which clamps by itself. GPU Gems, fluids, and
// many kernels since.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 1536, Bx = 32, By = 8;

__global__ void before(const float *__restrict__ VelocityX,
                       const float *__restrict__ VelocityY,
                       const float *__restrict__ Smoke, float *__restrict__ Out,
                       float Step) {
  const int X = blockIdx.x * Bx + threadIdx.x,
            Y = blockIdx.y * By + threadIdx.y, I = Y * Width + X;
  const float FromX = X - Step * VelocityX[I], FromY = Y - Step * VelocityY[I];
  const float FloorX = floorf(FromX), FloorY = floorf(FromY);
  const float Fx = FromX - FloorX, Fy = FromY - FloorY;
  const int X0 = min(max(int(FloorX), 0), Width - 1),
            X1 = min(max(int(FloorX) + 1, 0), Width - 1);
  const int Y0 = min(max(int(FloorY), 0), Height - 1),
            Y1 = min(max(int(FloorY) + 1, 0), Height - 1);
  const float A = Smoke[Y0 * Width + X0], B = Smoke[Y0 * Width + X1],
              C = Smoke[Y1 * Width + X0], D = Smoke[Y1 * Width + X1];
  const float Upper = A + Fx * (B - A), Lower = C + Fx * (D - C);
  Out[I] = 0.999f * (Upper + Fy * (Lower - Upper));
}

__global__ void after(const float *__restrict__ VelocityX,
                      const float *__restrict__ VelocityY,
                      cudaTextureObject_t Smoke, float *__restrict__ Out,
                      float Step) {
  const int X = blockIdx.x * Bx + threadIdx.x,
            Y = blockIdx.y * By + threadIdx.y, I = Y * Width + X;
  const float FromX = X - Step * VelocityX[I], FromY = Y - Step * VelocityY[I];
  const float FloorX = floorf(FromX), FloorY = floorf(FromY);
  const float Fx = FromX - FloorX, Fy = FromY - FloorY;
  const float U = FloorX + 0.5f, V = FloorY + 0.5f;
  const float A = tex2D<float>(Smoke, U, V), B = tex2D<float>(Smoke, U + 1, V),
              C = tex2D<float>(Smoke, U, V + 1),
              D = tex2D<float>(Smoke, U + 1, V + 1);
  const float Upper = A + Fx * (B - A), Lower = C + Fx * (D - C);
  Out[I] = 0.999f * (Upper + Fy * (Lower - Upper));
}

int main() {
  constexpr int Cells = Width * Height;
  std::vector<float> Host(2 * Cells);
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      const float A = 0.013f * X, B = 0.017f * Y;
      Host[Y * Width + X] = 9 * std::sin(A) * std::cos(B);
      Host[Cells + Y * Width + X] = -7 * std::cos(A) * std::sin(B);
    }
  const float *Velocity = onDevice(Host);
  float *Smoke = input<float>(Cells);
  cudaResourceDesc Resource = {};
  Resource.resType = cudaResourceTypePitch2D;
  Resource.res.pitch2D.devPtr = Smoke;
  Resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  Resource.res.pitch2D.width = Width;
  Resource.res.pitch2D.height = Height;
  Resource.res.pitch2D.pitchInBytes = Width * sizeof(float);
  cudaTextureDesc Description = {};
  Description.addressMode[0] = Description.addressMode[1] =
      cudaAddressModeClamp;
  Description.filterMode = cudaFilterModePoint;
  Description.readMode = cudaReadModeElementType;
  cudaTextureObject_t Texture;
  must(cudaCreateTextureObject(&Texture, &Resource, &Description, nullptr));
  float *Expected = output<float>(Cells), *Out = output<float>(Cells);
  Pair P("smoke-carried-by-texture");
  P.same(Expected, Out, Cells);
  const dim3 Grid(Width / Bx, Height / By), Block(Bx, By);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Velocity, Velocity + Cells, Smoke, Expected,
                              0.7f);
    else
      after<<<Grid, Block>>>(Velocity, Velocity + Cells, Texture, Out, 0.7f);
}
