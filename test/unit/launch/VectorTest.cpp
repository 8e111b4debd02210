//===- VectorTest.cpp - Sizes and elements of std::vector -----------------===//

#include "ParseLaunches.h"

#include "gtest/gtest.h"

using namespace warpwise::launch;

namespace {

/// Launches of kernels k(int), with a standard library of declarations only.
std::vector<Launch> parse(const std::string &Code) {
  static const std::string Library = R"(
    namespace std {
    template <class T> struct allocator { allocator(); };
    template <class T> class initializer_list {
      const T *First;
      size_t Count;
    };
    template <class T> T &&move(T &V) { return static_cast<T &&>(V); }
    inline namespace version {
    template <class T, class A = allocator<T>> class vector {
    public:
      vector();
      explicit vector(size_t, const A & = A());
      vector(size_t, const T &, const A & = A());
      vector(const T *, const T *, const A & = A());
      vector(initializer_list<T>, const A & = A());
      vector(const vector &);
      vector(vector &&);
      ~vector();
      vector &operator=(const vector &);
      vector &operator=(vector &&);
      vector &operator=(initializer_list<T>);
      size_t size() const;
      bool empty() const;
      T *data();
      const T *data() const;
      T &operator[](size_t);
      const T &operator[](size_t) const;
      T &front();
      T &back();
      T *begin();
      T *end();
      void push_back(const T &);
      template <class... P> T &emplace_back(P &&...) { return *First; }
      void pop_back();
      void clear();
      void reserve(size_t);
      void resize(size_t);
      void assign(size_t, const T &);
      void swap(vector &);
      T *erase(T *);
    private:
      T *First, *Last, *Most;
    };
    }
    }
    using std::vector;
    __global__ void k(int n) {}
  )";
  return parseLaunches(Library + Code, /*MaxPerKernel=*/64);
}

struct Size {
  int64_t Value;
  bool Certain;
  bool operator==(const Size &) const = default;
};

std::ostream &operator<<(std::ostream &Out, const Size &S) {
  return Out << S.Value << (S.Certain ? "" : "~");
}

/// The kernels' arguments in the order of the program; -1 for unknown ones.
std::vector<Size> sizes(const std::string &Body,
                        const std::string &Around = "") {
  std::vector<Size> Result;
  for (const Launch &L : parse(Around + "int main() {" + Body + "}")) {
    const auto &Argument = L.Arguments.at(0);
    Result.push_back({Argument.Integer.value_or(-1),
                      Argument.Integer.has_value() && Argument.Certain});
  }
  return Result;
}

constexpr Size Unknown{-1, false};

Size certain(int64_t Value) { return {Value, true}; }

TEST(VectorTest, TellsGridsArgumentsAndAllocations) {
  auto Found = parse(R"(
    __global__ void copy(float *d, int n) {}
    int main() {
      vector<float> H(1000);
      float *d;
      cudaMalloc((void **)&d, H.size() * sizeof(float));
      copy<<<(H.size() + 255) / 256, 256>>>(d, int(H.size()));
    })");
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(printGrid(Found[0]), "4x1x1");
  EXPECT_EQ(Found[0].Arguments[0].AllocationBytes, 4000U);
  EXPECT_EQ(Found[0].Arguments[1].Integer, 1000);
  EXPECT_TRUE(Found[0].Arguments[1].Certain);
}

TEST(VectorTest, KnowsWhatConstructorsMake) {
  EXPECT_EQ(sizes(R"(
    int Values[7] = {1, 2, 3, 4, 5, 6, 7};
    vector<int> None, Filled(20, 1), Range(Values + 1, Values + 6);
    vector<int> List = {4, 5, 6}, Copy(List), Moved(std::move(Copy));
    vector<int> Part(Filled.begin() + 5, Filled.end());
    k<<<1, 1>>>(None.size());
    k<<<1, 1>>>(Filled.size());
    k<<<1, 1>>>(Range.size());
    k<<<1, 1>>>(Range[1]);
    k<<<1, 1>>>(List.size());
    k<<<1, 1>>>(List.back());
    k<<<1, 1>>>(Copy.size());
    k<<<1, 1>>>(Moved.size());
    k<<<1, 1>>>(Moved[0]);
    k<<<1, 1>>>(Part.size());
    k<<<1, 1>>>(Filled[3]);)"),
            (std::vector<Size>{certain(0), certain(20), certain(5), certain(3),
                               certain(3), certain(6), certain(0), certain(3),
                               certain(4), certain(15), Unknown}));
}

TEST(VectorTest, FollowsWhatChangesTheSize) {
  EXPECT_EQ(sizes(R"(
    vector<int> V, W(9);
    V.push_back(7);
    V.emplace_back(8);
    k<<<1, 1>>>(V.size());
    k<<<1, 1>>>(V[1]);
    V.pop_back();
    k<<<1, 1>>>(V.size());
    V.swap(W);
    k<<<1, 1>>>(V.size());
    k<<<1, 1>>>(W[0]);
    V.resize(12);
    k<<<1, 1>>>(V.size());
    V.assign(13, 0);
    k<<<1, 1>>>(V.size());
    V = W;
    k<<<1, 1>>>(V.size());
    V = vector<int>(14);
    k<<<1, 1>>>(V.size());
    V = {1, 2};
    k<<<1, 1>>>(V.size());
    V.clear();
    k<<<1, 1>>>(V.size());
    k<<<1, 1>>>(V.empty());
    V.resize(5);
    V.erase(V.begin());
    k<<<1, 1>>>(V.size());)"),
            (std::vector<Size>{certain(2), certain(8), certain(1), certain(9),
                               certain(7), certain(12), certain(13), certain(1),
                               certain(14), certain(2), certain(0), certain(1),
                               Unknown}));
}

TEST(VectorTest, HarmlessMethodsLeaveTheSizeCertain) {
  EXPECT_EQ(sizes(R"(
    vector<int> V(5);
    V[2] = 3;
    V.front() = 1;
    V.reserve(100);
    unknown(V.data(), V.begin(), V.end());
    k<<<1, 1>>>(V.size());)"),
            std::vector<Size>{certain(5)});
}

TEST(VectorTest, DoubtsWhatUnknownFunctionsGet) {
  EXPECT_EQ(sizes(R"(
    vector<int> V = {5, 6}, W, X = {7};
    change(V);
    k<<<1, 1>>>(V.size());
    k<<<1, 1>>>(V[0]);
    change(W);
    k<<<1, 1>>>(W.size());
    look(X);
    k<<<1, 1>>>(X.size());
    k<<<1, 1>>>(X[0]);
    fill(X.data());
    k<<<1, 1>>>(X.size());
    k<<<1, 1>>>(X[0]);
    Box B = {vector<int>(3)};
    open(&B);
    k<<<1, 1>>>(B.V.size());)",
                  R"(
    struct Box { vector<int> V; };
    void change(vector<int> &); void look(const vector<int> &);
    void fill(int *); void open(Box *);)"),
            (std::vector<Size>{{2, false},
                               {5, false},
                               Unknown,
                               certain(1),
                               certain(7),
                               certain(1),
                               {7, false},
                               {3, false}}));
}

TEST(VectorTest, FollowsVectorsThroughCallsAndRecords) {
  EXPECT_EQ(
      sizes(R"(
    vector<int> V = make(30);
    k<<<1, 1>>>(V.size());
    k<<<1, 1>>>(V[0]);
    grow(V);
    k<<<1, 1>>>(V.size());
    k<<<1, 1>>>(make(3).size());
    Box B = box(4), C = B;
    C.V[0] = 6;
    k<<<1, 1>>>(C.V.size());
    k<<<1, 1>>>(C.V[0]);
    k<<<1, 1>>>(B.V[0]);
    C.V.push_back(1);
    k<<<1, 1>>>(B.V.size());
    auto Lambda = [B] { k<<<1, 1>>>(B.V.size()); };
    Lambda();
    vector<int> *P = new vector<int>(8);
    k<<<1, 1>>>(P->size());
    give(V);
    k<<<1, 1>>>(V.size());)",
            R"(
    struct Box { int Number; vector<int> V; };
    vector<int> make(int n) { vector<int> V(n); V[0] = n; return V; }
    Box box(int n) { Box B; B.V.resize(n); B.V[0] = 5; return B; }
    void grow(vector<int> &V) { V.resize(2 * V.size()); }
    void give(vector<int> V) { V.push_back(1); })"),
      (std::vector<Size>{certain(30), certain(30), certain(60), certain(3),
                         certain(4), certain(6), certain(5), certain(4),
                         certain(4), certain(8), certain(60)}));
}

TEST(VectorTest, GoesThroughElements) {
  EXPECT_EQ(
      sizes(R"(
    vector<int> V = {5, 6};
    for (int n : V)
      k<<<1, 1>>>(n);
    for (size_t I = 0; I < V.size(); ++I)
      k<<<1, 1>>>(V[I]);)"),
      (std::vector<Size>{certain(5), certain(6), certain(5), certain(6)}));
}

TEST(VectorTest, CountsInLoopsOfKnownLength) {
  EXPECT_EQ(sizes(R"(
    vector<int> V, W;
    for (int I = 0; I < 5000; ++I)
      V.push_back(I);
    k<<<1, 1>>>(V.size());
    k<<<1, 1>>>(V[100]);
    for (int I = 0; I < 5000; ++I)
      if (I < 300)
        W.push_back(I);
    k<<<1, 1>>>(W.size());)"),
            (std::vector<Size>{certain(5000), Unknown, Unknown}));
}

TEST(VectorTest, NeverIsCertainOfWhatALoopMayHaveChanged) {
  for (const Size &S : sizes(R"(
    vector<int> V, W(4), X(4), Y = {1, 2, 3}, Z(6);
    for (int I = 0; I < unknown(); ++I)
      V.push_back(I);
    k<<<1, 1>>>(V.size());
    while (unknown())
      W.resize(W.size() * 2);
    k<<<1, 1>>>(W.size());
    for (int I = 0; I < 1000; ++I)
      for (int J = 0; J < 1000; ++J) {
        if (I == 999)
          X.push_back(J);
        Y[2] = unknown(I, J);
      }
    k<<<1, 1>>>(X.size());
    k<<<1, 1>>>(Y[2]);
    for (int I = 0; I < unknown(); ++I)
      if (I == 7)
        change(Z);
    k<<<1, 1>>>(Z.size());)",
                             "void change(vector<int> &);"))
    EXPECT_FALSE(S.Certain) << S;
}

TEST(VectorTest, ForgetsElementsThatLoopsHaveWritten) {
  EXPECT_EQ(
      sizes(R"(
    vector<int> V(2000), W(2000), X(9);
    V[1500] = W[8] = X[3] = 4;
    for (int I = 0; I < 2000; ++I)
      V[I] = 2 * I;
    k<<<1, 1>>>(V[1500]);
    for (int I = 0; I < unknown(); ++I)
      W[I] = 7;
    k<<<1, 1>>>(W[8]);
    X[unknown()] = 5;
    k<<<1, 1>>>(X[3]);
    k<<<1, 1>>>(X[unknown()]);
    k<<<1, 1>>>(X.size());)"),
      (std::vector<Size>{Unknown, Unknown, Unknown, Unknown, certain(9)}));
}

TEST(VectorTest, IteratorsAndCopiesDoNotOutliveElements) {
  EXPECT_EQ(
      sizes(R"(
    vector<int> V = {4, 5};
    k<<<1, 1>>>(*V.begin());
    { vector<int> Copy(V); Copy[0] = 1; int *Last = Copy.end(); }
    k<<<1, 1>>>(V.front());
    for (int I = 0; I < 100; ++I)
      look(V);
    k<<<1, 1>>>(V[1]);
    k<<<1, 1>>>(V.size());)",
            "int look(vector<int> &V) { return V[0]; }"),
      (std::vector<Size>{certain(4), certain(4), certain(5), certain(2)}));
}

TEST(VectorTest, ShrinkingDropsElements) {
  EXPECT_EQ(sizes(R"(
    vector<int> V = {1, 2, 3};
    V.resize(2);
    V.resize(3);
    k<<<1, 1>>>(V[1]);
    k<<<1, 1>>>(V[2]);)"),
            (std::vector<Size>{certain(2), Unknown}));
}

TEST(VectorTest, DoubtsGlobalsThatAreChangedElsewhere) {
  auto Found = parse(R"(
    vector<int> Fixed(4), Changed(8), Given(9), Filled = {1};
    struct Program { vector<int> V; void read() { V.resize(10); } } All;
    void change(vector<int> &);
    void set() { Changed.resize(5); change(Given); Filled[0] = 2; All.read(); }
    void run() {
      Fixed[0] = 1;
      k<<<1, 1>>>(Fixed.size());
      k<<<1, 1>>>(Changed.size());
      k<<<1, 1>>>(Given.size());
      k<<<1, 1>>>(Filled[0]);
      k<<<1, 1>>>(Filled.size());
      k<<<1, 1>>>(All.V.size());
    })");
  ASSERT_EQ(Found.size(), 6U);
  EXPECT_EQ(getIntegers(Found, 0), (std::vector<int64_t>{4, 8, 9, 1, 1, -1}));
  EXPECT_TRUE(Found[0].Arguments[0].Certain);
  EXPECT_FALSE(Found[1].Arguments[0].Certain);
  EXPECT_FALSE(Found[2].Arguments[0].Certain);
  EXPECT_FALSE(Found[3].Arguments[0].Certain);
  EXPECT_TRUE(Found[4].Arguments[0].Certain);
}

TEST(VectorTest, EachSideOfAConditionHasItsSize) {
  EXPECT_EQ(sizes(R"(
    vector<int> V(3), W, X, Y;
    if (unknown()) {
      V.resize(7);
      W.push_back(1);
      X = vector<int>(5);
      Y.resize(8);
    } else {
      X = vector<int>(6);
      Y = vector<int>(8);
    }
    k<<<1, 1>>>(V.size());
    k<<<1, 1>>>(W.size());
    k<<<1, 1>>>(X.size());
    k<<<1, 1>>>(Y.size());)"),
            (std::vector<Size>{certain(7), certain(3), certain(1), certain(0),
                               certain(5), certain(6), certain(8)}));
}

TEST(VectorTest, WhereConditionsHaveNoNameSizesAreInDoubt) {
  for (const Size &S : sizes(R"(
    vector<int> V(3), W, X;
    for (int I = 0; I < unknown(); ++I) {
      if (unknown())
        V.resize(7);
      if (unknown())
        W.push_back(1);
      X = unknown() ? vector<int>(5) : vector<int>(6);
      k<<<1, 1>>>(V.size());
      k<<<1, 1>>>(W.size());
      k<<<1, 1>>>(X.size());
    })"))
    EXPECT_FALSE(S.Certain) << S;
}

TEST(VectorTest, KeepsLaunchesThatArePutIntoVectors) {
  EXPECT_EQ(sizes(R"(
    vector<Thread> Threads;
    for (int I = 0; I < 2; ++I)
      Threads.emplace_back([I] { k<<<1, 1>>>(5); });
    k<<<1, 1>>>(Threads.size());)",
                  "struct Thread { template <class F> explicit Thread(F); };")
                .size(),
            2U);
}

} // namespace
