//===- HostMath.cpp - Mathematics of this process -------------------------===//

#include "analyzer/execution/HostMath.h"

#include "analyzer/execution/Names.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DerivedTypes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

namespace warpwise::execution {
namespace {

//===----------------------------------------------------------------------===//
// What CUDA's mathematics has and the C library has not
//===----------------------------------------------------------------------===//

template <typename Real> Real reciprocalRoot(Real X) {
  return 1 / std::sqrt(X);
}
template <typename Real> Real reciprocalCubeRoot(Real X) {
  return 1 / std::cbrt(X);
}
template <typename Real> Real power(Real X, int N) {
  return std::pow(X, Real(N));
}
template <typename Real> Real sineOfPi(Real X) {
  return Real(std::sin(std::numbers::pi * std::fmod(double(X), 2)));
}
template <typename Real> Real cosineOfPi(Real X) {
  return Real(std::cos(std::numbers::pi * std::fmod(double(X), 2)));
}
template <typename Real> Real reciprocalHypot(Real X, Real Y) {
  return 1 / std::hypot(X, Y);
}
template <typename Real> Real norm3(Real X, Real Y, Real Z) {
  return std::hypot(X, Y, Z);
}
template <typename Real> Real reciprocalNorm3(Real X, Real Y, Real Z) {
  return 1 / std::hypot(X, Y, Z);
}
template <typename Real> Real norm4(Real X, Real Y, Real Z, Real W) {
  return std::hypot(std::hypot(X, Y), std::hypot(Z, W));
}
template <typename Real> Real reciprocalNorm4(Real X, Real Y, Real Z, Real W) {
  return 1 / norm4(X, Y, Z, W);
}
template <typename Real> Real fractionOf(Real X) {
  int Exponent = 0;
  return std::frexp(X, &Exponent);
}
template <typename Real> int exponentOf(Real X) {
  int Exponent = 0;
  std::frexp(X, &Exponent);
  return Exponent;
}
template <typename Real> int quotientOf(Real X, Real Y) {
  int Quotient = 0;
  std::remquo(X, Y, &Quotient);
  return Quotient;
}
float divide(float X, float Y) { return X / Y; }
template <typename Real> int isNan(Real X) { return std::isnan(X); }
template <typename Real> int isInfinite(Real X) { return std::isinf(X); }
template <typename Real> int isFinite(Real X) { return std::isfinite(X); }
template <typename Real> int signOf(Real X) { return std::signbit(X); }
/// The C library's writes the sign to a variable of its own.
template <typename Real> Real logOfGamma(Real X) {
  int Sign = 0;
  return Real(::lgamma_r(double(X), &Sign));
}
template <typename Real> Real tenTo(Real X) { return std::pow(Real(10), X); }
/// Bessel functions take as many steps as their order.
constexpr int MostOrder = 1 << 12;
template <typename Real> Real besselFirst(int N, Real X) {
  return Real(::jn(std::clamp(N, -MostOrder, MostOrder), double(X)));
}
template <typename Real> Real besselSecond(int N, Real X) {
  return Real(::yn(std::clamp(N, -MostOrder, MostOrder), double(X)));
}

/// PTX's prmt: each nibble of \p Selector picks a byte, or copies its sign.
int selectBytes(int Low, int High, int Selector) {
  const uint64_t Bytes = uint64_t(uint32_t(High)) << 32 | uint32_t(Low);
  uint32_t Result = 0;
  for (unsigned N = 0; N != 4; ++N) {
    const unsigned Nibble = uint32_t(Selector) >> 4 * N & 15;
    uint32_t Byte = uint32_t(Bytes >> 8 * (Nibble & 7)) & 255;
    if (Nibble & 8)
      Byte = Byte & 128 ? 255 : 0;
    Result |= Byte << 8 * N;
  }
  return int(Result);
}
int averageDown(int X, int Y) { return int((int64_t(X) + Y) >> 1); }
int averageUp(int X, int Y) { return int((int64_t(X) + Y + 1) >> 1); }
int unsignedAverageDown(int X, int Y) {
  return int((uint64_t(uint32_t(X)) + uint32_t(Y)) >> 1);
}
int unsignedAverageUp(int X, int Y) {
  return int((uint64_t(uint32_t(X)) + uint32_t(Y) + 1) >> 1);
}
int sumOfDifferences(int X, int Y, int Z) {
  return int(uint32_t(std::llabs(int64_t(X) - Y)) + uint32_t(Z));
}
int unsignedSumOfDifferences(int X, int Y, int Z) {
  return int(uint32_t(std::llabs(int64_t(uint32_t(X)) - uint32_t(Y))) +
             uint32_t(Z));
}
double joinHalves(int High, int Low) {
  return std::bit_cast<double>(uint64_t(uint32_t(High)) << 32 | uint32_t(Low));
}
int highHalf(double X) { return int(std::bit_cast<uint64_t>(X) >> 32); }
int lowHalf(double X) { return int(std::bit_cast<uint64_t>(X)); }

//===----------------------------------------------------------------------===//
// What a host without instructions for 16-bit floats calls
//===----------------------------------------------------------------------===//

float halfToFloat(uint16_t Half) {
  const uint32_t Sign = uint32_t(Half >> 15) << 31;
  const int Exponent = Half >> 10 & 31;
  const uint32_t Mantissa = Half & 0x3ff;
  if (Exponent == 31)
    return std::bit_cast<float>(Sign | 0x7f800000 | Mantissa << 13);
  const float Value = Exponent == 0
                          ? std::ldexp(float(Mantissa), -24)
                          : std::ldexp(float(Mantissa + 1024), Exponent - 25);
  return Sign ? -Value : Value;
}

uint16_t floatToHalf(float X) {
  const uint16_t Sign = std::signbit(X) ? 0x8000 : 0;
  const float Value = std::fabs(X);
  if (std::isnan(X))
    return Sign | 0x7e00;
  if (Value >= 65520)
    return Sign | 0x7c00;
  int Exponent = 0;
  std::frexp(Value, &Exponent); // Value < 2^Exponent
  const int Unit = std::max(Exponent - 11, -24);
  const long Units = std::lrint(std::ldexp(Value, -Unit));
  // One unit of the smallest exponents is a bit; a carry moves on by itself.
  return Sign | uint16_t(Units + (long(Unit + 24) << 10));
}

uint16_t doubleToHalf(double X) { return floatToHalf(float(X)); }

uint16_t floatToBfloat(float X) {
  const uint32_t Bits = std::bit_cast<uint32_t>(X);
  return uint16_t((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16);
}

uint16_t doubleToBfloat(double X) { return floatToBfloat(float(X)); }

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <typename T> constexpr char letterOf() {
  if constexpr (std::is_same_v<T, float>)
    return 'f';
  else if constexpr (std::is_same_v<T, double>)
    return 'd';
  else if constexpr (sizeof(T) == 4)
    return 'i';
  else
    return 'l';
}

template <typename Result, typename... Parameters>
inline constexpr char TypesOf[] = {letterOf<Result>(),
                                   letterOf<Parameters>()..., '\0'};

template <typename Result, typename... Parameters>
MathFunction entry(const char *Name, Result (*F)(Parameters...)) {
  return {Name, TypesOf<Result, Parameters...>, reinterpret_cast<void *>(F)};
}

template <typename Function> HostCall call(const char *Name, Function *F) {
  return {Name, reinterpret_cast<void *>(F)};
}

using Real1 = double (*)(double);
using Real2 = double (*)(double, double);
using Single1 = float (*)(float);
using Single2 = float (*)(float, float);

} // namespace

/// The C library's function in both precisions.
#define WARPWISE_UNARY(Name)                                                   \
  entry(#Name, Real1(::Name)), entry(#Name "f", Single1(::Name##f))
#define WARPWISE_BINARY(Name)                                                  \
  entry(#Name, Real2(::Name)), entry(#Name "f", Single2(::Name##f))
/// A template of ours in both precisions.
#define WARPWISE_OWN(Name, Template)                                           \
  entry(Name, Template<double>), entry(Name "f", Template<float>)

llvm::ArrayRef<MathFunction> mathFunctions() {
  static const MathFunction Functions[] = {
      WARPWISE_UNARY(acos),
      WARPWISE_UNARY(acosh),
      WARPWISE_UNARY(asin),
      WARPWISE_UNARY(asinh),
      WARPWISE_UNARY(atan),
      WARPWISE_UNARY(atanh),
      WARPWISE_UNARY(cbrt),
      WARPWISE_UNARY(cos),
      WARPWISE_UNARY(cosh),
      WARPWISE_UNARY(erf),
      WARPWISE_UNARY(erfc),
      WARPWISE_UNARY(exp),
      WARPWISE_UNARY(exp2),
      WARPWISE_UNARY(expm1),
      WARPWISE_UNARY(j0),
      WARPWISE_UNARY(j1),
      WARPWISE_UNARY(log),
      WARPWISE_UNARY(log10),
      WARPWISE_UNARY(log1p),
      WARPWISE_UNARY(log2),
      WARPWISE_UNARY(logb),
      WARPWISE_UNARY(sin),
      WARPWISE_UNARY(sinh),
      WARPWISE_UNARY(tan),
      WARPWISE_UNARY(tanh),
      WARPWISE_UNARY(tgamma),
      WARPWISE_UNARY(y0),
      WARPWISE_UNARY(y1),
      WARPWISE_BINARY(atan2),
      WARPWISE_BINARY(fdim),
      WARPWISE_BINARY(fmod),
      WARPWISE_BINARY(hypot),
      WARPWISE_BINARY(nextafter),
      WARPWISE_BINARY(pow),
      WARPWISE_BINARY(remainder),
      WARPWISE_OWN("cospi", cosineOfPi),
      WARPWISE_OWN("exp10", tenTo),
      WARPWISE_OWN("lgamma", logOfGamma),
      WARPWISE_OWN("norm3d", norm3),
      WARPWISE_OWN("norm4d", norm4),
      WARPWISE_OWN("rcbrt", reciprocalCubeRoot),
      WARPWISE_OWN("rhypot", reciprocalHypot),
      WARPWISE_OWN("rnorm3d", reciprocalNorm3),
      WARPWISE_OWN("rnorm4d", reciprocalNorm4),
      WARPWISE_OWN("rsqrt", reciprocalRoot),
      WARPWISE_OWN("sinpi", sineOfPi),
      // What the two results of one function became, see MathCalls.h.
      WARPWISE_OWN("frexp_fraction", fractionOf),
      WARPWISE_OWN("frexp_exponent", exponentOf),
      WARPWISE_OWN("remquo_quotient", quotientOf),
      entry("fdividef", divide),
      entry("frsqrt_rn", reciprocalRoot<float>),
      entry("jn", besselFirst<double>),
      entry("jnf", besselFirst<float>),
      entry("yn", besselSecond<double>),
      entry("ynf", besselSecond<float>),
      entry("powi", power<double>),
      entry("powif", power<float>),
      entry("ldexp", static_cast<double (*)(double, int)>(::ldexp)),
      entry("ldexpf", static_cast<float (*)(float, int)>(::ldexpf)),
      entry("scalbn", static_cast<double (*)(double, int)>(::scalbn)),
      entry("scalbnf", static_cast<float (*)(float, int)>(::scalbnf)),
      entry("ilogb", static_cast<int (*)(double)>(::ilogb)),
      entry("ilogbf", static_cast<int (*)(float)>(::ilogbf)),
      entry("llrint", static_cast<long long (*)(double)>(::llrint)),
      entry("llrintf", static_cast<long long (*)(float)>(::llrintf)),
      entry("llround", static_cast<long long (*)(double)>(::llround)),
      entry("llroundf", static_cast<long long (*)(float)>(::llroundf)),
      entry("isnand", isNan<double>),
      entry("isnanf", isNan<float>),
      entry("isinfd", isInfinite<double>),
      entry("isinff", isInfinite<float>),
      entry("isfinited", isFinite<double>),
      entry("finitef", isFinite<float>),
      entry("signbitd", signOf<double>),
      entry("signbitf", signOf<float>),
      entry("byte_perm", selectBytes),
      entry("hadd", averageDown),
      entry("rhadd", averageUp),
      entry("uhadd", unsignedAverageDown),
      entry("urhadd", unsignedAverageUp),
      entry("sad", sumOfDifferences),
      entry("usad", unsignedSumOfDifferences),
      entry("hiloint2double", joinHalves),
      entry("double2hiint", highHalf),
      entry("double2loint", lowHalf),
  };
  return Functions;
}

#undef WARPWISE_UNARY
#undef WARPWISE_BINARY
#undef WARPWISE_OWN

bool MathFunction::has(const llvm::FunctionType &T) const {
  if (T.isVarArg() || T.getNumParams() + 1 != std::strlen(Types))
    return false;
  auto is = [](const llvm::Type *Found, char Letter) {
    switch (Letter) {
    case 'f':
      return Found->isFloatTy();
    case 'd':
      return Found->isDoubleTy();
    case 'i':
      return Found->isIntegerTy(32);
    default:
      return Found->isIntegerTy(64);
    }
  };
  if (!is(T.getReturnType(), Types[0]))
    return false;
  for (unsigned N = 0; N != T.getNumParams(); ++N)
    if (!is(T.getParamType(N), Types[N + 1]))
      return false;
  return true;
}

std::string mathSymbol(const MathFunction &F) {
  return (llvm::Twine(OwnPrefix) + "math." + F.Name).str();
}

const MathFunction *findMath(llvm::StringRef Name) {
  static const llvm::StringMap<const MathFunction *> ByName = [] {
    llvm::StringMap<const MathFunction *> Table;
    for (const MathFunction &F : mathFunctions())
      Table[F.Name] = &F;
    return Table;
  }();
  return ByName.lookup(Name);
}

extern "C" {
// The compiler's own library, for numbers of 128 bits.
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
__int128 __multi3(__int128, __int128);
__int128 __fixsfti(float);
__int128 __fixdfti(double);
unsigned __int128 __fixunssfti(float);
unsigned __int128 __fixunsdfti(double);
float __floattisf(__int128);
double __floattidf(__int128);
float __floatuntisf(unsigned __int128);
double __floatuntidf(unsigned __int128);
}

/// The C library's function in both precisions.
#define WARPWISE_BOTH(Name) call(#Name, ::Name), call(#Name "f", ::Name##f)
#define WARPWISE_REAL(Name)                                                    \
  call(#Name, Real1(::Name)), call(#Name "f", Single1(::Name##f))
#define WARPWISE_REAL2(Name)                                                   \
  call(#Name, Real2(::Name)), call(#Name "f", Single2(::Name##f))

llvm::ArrayRef<HostCall> generatedCalls() {
  // Copies of the kernel's own have been replaced by then; these are of
  // values that the code generator keeps on the stack.
  using Copy = void *(*)(void *, const void *, size_t);
  using Fill = void *(*)(void *, int, size_t);
  static const HostCall Calls[] = {
      call("memcpy", Copy(::memcpy)),
      call("memmove", Copy(::memmove)),
      call("memset", Fill(::memset)),
      WARPWISE_REAL(ceil),
      WARPWISE_REAL(cos),
      WARPWISE_REAL(exp),
      WARPWISE_REAL(exp2),
      WARPWISE_REAL(floor),
      WARPWISE_REAL(log),
      WARPWISE_REAL(log10),
      WARPWISE_REAL(log2),
      WARPWISE_REAL(nearbyint),
      WARPWISE_REAL(rint),
      WARPWISE_REAL(round),
      WARPWISE_REAL(roundeven),
      WARPWISE_REAL(sin),
      WARPWISE_REAL(sqrt),
      WARPWISE_REAL(tan),
      WARPWISE_REAL(trunc),
      WARPWISE_REAL2(fmax),
      WARPWISE_REAL2(fmin),
      WARPWISE_REAL2(fmod),
      WARPWISE_REAL2(pow),
      call("exp10", tenTo<double>),
      call("exp10f", tenTo<float>),
      call("fma", static_cast<double (*)(double, double, double)>(::fma)),
      call("fmaf", static_cast<float (*)(float, float, float)>(::fmaf)),
      WARPWISE_BOTH(frexp),
      WARPWISE_BOTH(ldexp),
      WARPWISE_BOTH(llrint),
      WARPWISE_BOTH(llround),
      WARPWISE_BOTH(lrint),
      WARPWISE_BOTH(lround),
      WARPWISE_BOTH(sincos),
      call("__powidf2", power<double>),
      call("__powisf2", power<float>),
      call("__extendhfsf2", halfToFloat),
      call("__gnu_h2f_ieee", halfToFloat),
      call("__truncsfhf2", floatToHalf),
      call("__gnu_f2h_ieee", floatToHalf),
      call("__truncdfhf2", doubleToHalf),
      call("__truncsfbf2", floatToBfloat),
      call("__truncdfbf2", doubleToBfloat),
      call("__divti3", __divti3),
      call("__modti3", __modti3),
      call("__udivti3", __udivti3),
      call("__umodti3", __umodti3),
      call("__multi3", __multi3),
      call("__fixsfti", __fixsfti),
      call("__fixdfti", __fixdfti),
      call("__fixunssfti", __fixunssfti),
      call("__fixunsdfti", __fixunsdfti),
      call("__floattisf", __floattisf),
      call("__floattidf", __floattidf),
      call("__floatuntisf", __floatuntisf),
      call("__floatuntidf", __floatuntidf),
  };
  return Calls;
}

} // namespace warpwise::execution
