//===- Eigenproblems.cpp --------------------------------------------------===//

#include "mnf_case_study/device/Eigenproblems.h"

#include "mnf_case_study/device/Cuda.h"

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <fmt/format.h>

namespace mnf {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static void require(cublasStatus_t Status, const char *What) {
  if (Status != CUBLAS_STATUS_SUCCESS)
    throw CudaError(fmt::format("{}: {}", What, cublasGetStatusString(Status)));
}
static void require(cusolverStatus_t Status, const char *What) {
  if (Status != CUSOLVER_STATUS_SUCCESS)
    throw CudaError(
        fmt::format("{}: status {} of cuSOLVER", What, int(Status)));
}

Eigenproblems::Eigenproblems() {
  require(cublasCreate(&Blas), "cuBLAS");
  if (cusolverStatus_t Status = cusolverDnCreate(&Solver);
      Status != CUSOLVER_STATUS_SUCCESS) {
    cublasDestroy(Blas);
    require(Status, "cuSOLVER");
  }
}

Eigenproblems::~Eigenproblems() {
  cusolverDnDestroy(Solver);
  cublasDestroy(Blas);
}

/// Puts the eigenvectors of the symmetric \p Of in its place, its eigenvalues,
/// rising, in \p Values. False where they do not converge.
static bool diagonalise(cusolverDnContext *Solver, Buffer<double> &Of,
                        Buffer<double> &Values, int Size) {
  const auto Vectors = CUSOLVER_EIG_MODE_VECTOR;
  const auto Half = CUBLAS_FILL_MODE_LOWER;
  int Room = 0;
  require(cusolverDnDsyevd_bufferSize(Solver, Vectors, Half, Size, Of, Size,
                                      Values, &Room),
          "eigenvalues");
  Buffer<double> Scratch{size_t(Room)};
  Buffer<int> Info(1);
  require(cusolverDnDsyevd(Solver, Vectors, Half, Size, Of, Size, Values,
                           Scratch, Room, Info),
          "eigenvalues");
  int Failed = 0;
  Info.download(&Failed);
  return Failed == 0;
}

Expected<Rotation> Eigenproblems::solve(const Statistics &Noise,
                                        const Statistics &Image) {
  if (std::string Why = whyNoNoise(Noise); !Why.empty())
    return Failure{Why};
  const Index Bands = Noise.Means.size();
  const int Size = int(Bands);
  const size_t Elements = size_t(Bands) * size_t(Bands);
  Buffer<double> Whitening(Elements), OfImage(Elements), Product(Elements),
      Values{size_t(Bands)};
  VectorXd OnHost(Bands);

  // Eigen's matrices are stored column by column, like those of cuBLAS.
  Whitening.upload(Noise.Covariance.data());
  OfImage.upload(Image.Covariance.data());
  const bool Converges = diagonalise(Solver, Whitening, Values, Size); // S3
  Values.download(OnHost.data());
  if (!Converges || isSingular(OnHost))
    return Failure{NoiseIsSingular};
  const VectorXd Scale = OnHost.cwiseSqrt().cwiseInverse();
  Values.upload(Scale.data());
  require(cublasDdgmm(Blas, CUBLAS_SIDE_RIGHT, Size, Size, Whitening, Size,
                      Values, 1, Whitening, Size),
          "the whitening");

  const double One = 1, Zero = 0;
  const auto Multiply = [&](cublasOperation_t Left, const double *A,
                            const double *B, double *To) {
    require(cublasDgemm(Blas, Left, CUBLAS_OP_N, Size, Size, Size, &One, A,
                        Size, B, Size, &Zero, To, Size),
            "cublasDgemm");
  };
  Multiply(CUBLAS_OP_N, OfImage, Whitening, Product); // S5
  Multiply(CUBLAS_OP_T, Whitening, Product, OfImage);
  if (!diagonalise(Solver, OfImage, Values, Size)) // S6
    return Failure{ImageDoesNotConverge};
  Multiply(CUBLAS_OP_N, Whitening, OfImage, Product); // S7
  Values.download(OnHost.data());
  MatrixXd Transformation(Bands, Bands);
  Product.download(Transformation.data());
  return rotationOf(Image.Means, OnHost, Transformation);
}

} // namespace mnf
