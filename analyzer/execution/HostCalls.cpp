//===- HostCalls.cpp - What compiled kernels call -------------------------===//

#include "analyzer/execution/HostCalls.h"

#include "analyzer/execution/BlockRunner.h"

#include <bit>
#include <cmath>

namespace warpwise::execution {

static BlockRunner *Current = nullptr;

void setCurrent(BlockRunner *Runner) { Current = Runner; }
BlockRunner &current() { return *Current; }

namespace {

void *access(uint32_t Position, void *Pointer) {
  return Current->access(Position, Pointer);
}

void *keepInside(char *Pointer, char *Object, uint64_t Size, uint64_t Bytes) {
  return Current->keepInside(Pointer, Object, Size, Bytes);
}

void copy(void *To, const void *From, uint64_t Bytes) {
  Current->copy(To, From, Bytes);
}

void fill(void *To, int Byte, uint64_t Bytes) {
  Current->fill(To, Byte, Bytes);
}

void enterLoop(uint32_t Number) { Current->enterLoop(Number); }

void nextIteration(uint32_t Number) { Current->nextIteration(Number); }

uint32_t registerValue(uint32_t Which) {
  return Current->registerValue(Register(Which));
}

uint32_t blockBarrier(uint32_t Position, uint32_t Kind, uint32_t Value) {
  return Current->waitForBlock(Position, BarrierKind(Kind), Value);
}

void warpBarrier(uint32_t Position) {
  Current->noteBarrier(Position);
  Current->exchange(Position, Exchange::ActiveMask, 0, 0, 0);
}

uint64_t exchange(uint32_t Position, uint32_t What, uint64_t Value,
                  uint32_t Lane, uint32_t Clamp) {
  return Current->exchange(Position, Exchange(What), Value, Lane, Clamp);
}

void leave() { Current->leave(); }

uint32_t spaceOf(const void *Pointer) { return Current->spaceOf(Pointer); }

void *shared(uint32_t Short) { return Current->sharedAt(Short); }

// What CUDA's mathematics has and the C library has not.
float rsqrtf(float X) { return 1 / std::sqrt(X); }
double rsqrt(double X) { return 1 / std::sqrt(X); }
float powif(float X, int N) { return std::pow(X, float(N)); }
double powi(double X, int N) { return std::pow(X, double(N)); }
float fdividef(float X, float Y) { return X / Y; }

// What a host without instructions for 16-bit floats calls.
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

uint16_t floatToBfloat(float X) {
  const uint32_t Bits = std::bit_cast<uint32_t>(X);
  return uint16_t((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16);
}

template <typename Function> void *addressOf(Function *F) {
  return reinterpret_cast<void *>(F);
}

} // namespace

std::span<const HostCall> hostCalls() {
  static const HostCall Calls[] = {
      {"execution_access", addressOf(access)},
      {"execution_private", addressOf(keepInside)},
      {"execution_copy", addressOf(copy)},
      {"execution_fill", addressOf(fill)},
      {"execution_enter_loop", addressOf(enterLoop)},
      {"execution_next_iteration", addressOf(nextIteration)},
      {"execution_register", addressOf(registerValue)},
      {"execution_block_barrier", addressOf(blockBarrier)},
      {"execution_warp_barrier", addressOf(warpBarrier)},
      {"execution_exchange", addressOf(exchange)},
      {"execution_leave", addressOf(leave)},
      {"execution_space_of", addressOf(spaceOf)},
      {"execution_shared", addressOf(shared)},
      {"rsqrtf", addressOf(rsqrtf)},
      {"rsqrt", addressOf(rsqrt)},
      {"powif", addressOf(powif)},
      {"powi", addressOf(powi)},
      {"fdividef", addressOf(fdividef)},
      {"__extendhfsf2", addressOf(halfToFloat)},
      {"__gnu_h2f_ieee", addressOf(halfToFloat)},
      {"__truncsfhf2", addressOf(floatToHalf)},
      {"__gnu_f2h_ieee", addressOf(floatToHalf)},
      {"__truncsfbf2", addressOf(floatToBfloat)},
  };
  return Calls;
}

} // namespace warpwise::execution
