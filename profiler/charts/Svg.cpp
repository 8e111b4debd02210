//===- Svg.cpp - Charts as inline SVG -------------------------------------===//

#include "profiler/charts/Svg.h"

#include "profiler/charts/Axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

using namespace warpwise;
using namespace warpwise::charts;

namespace {

// In units of the viewBox, which are about CSS pixels on a desktop.
constexpr double Width = 400, Height = 236;
constexpr double Top = 12, Bottom = 196, Left = 50, Right = 388;
constexpr double LetterWidth = 6.8, LineHeight = 13;
/// More points than this are a line without a dot at each.
constexpr size_t MostDots = 48;
/// More than this cannot be told apart, so each pixel column keeps the two
/// extremes.
constexpr size_t MostPoints = 800;
constexpr size_t Colours = 6;

double widthOf(std::string_view Text) {
  return double(letters(Text)) * LetterWidth;
}

/// The mark of a literature profile, centred at (X, Y).
void addMark(std::string &Out, size_t Source, double X, double Y,
             std::string_view Tooltip) {
  constexpr std::string_view Shapes[] = {
      "M0 -4.6L4.6 0L0 4.6L-4.6 0Z", // diamond
      "M-3.8 -3.8H3.8V3.8H-3.8Z",    // square
      "M0 -4.6L4.6 3.6H-4.6Z",       // triangle
      "M0 4.6L4.6 -3.6H-4.6Z",       // triangle downwards
      "M-4 -4L4 4M-4 4L4 -4",        // cross
      "M-5 0H5M0 -5V5",              // plus
  };
  append(Out,
         R"-(<path class="lit" transform="translate({:.1f} {:.1f})" d="{}">)-",
         X, Y, Shapes[Source % std::size(Shapes)]);
  if (!Tooltip.empty())
    append(Out, "<title>{}</title>", escape(Tooltip));
  Out += "</path>";
}

/// One entry per literature profile that the chart shows.
std::string legendOf(const std::map<size_t, std::string> &Sources) {
  std::string Out;
  for (const auto &[Source, Name] : Sources) {
    Out += R"(<li><svg class="key" viewBox="-8 -6 16 12" aria-hidden="true">)";
    addMark(Out, Source, 0, 0, "");
    append(Out, "</svg>{}</li>", escape(Name));
  }
  return Out;
}

/// The figure around a drawing.
std::string figure(std::string_view Title, std::string_view Path,
                   std::string_view Badge, const std::string &Legend,
                   const std::string &Drawing, std::string_view Method) {
  std::string Out = "<figure>";
  append(Out, "<figcaption><h3>{}{}</h3>{}</figcaption>", escape(Title),
         Badge.empty() ? ""
                       : fmt::format(R"( <span class="badge warn">{}</span>)",
                                     escape(Badge)),
         Path.empty() ? "" : fmt::format("<code>{}</code>", escape(Path)));
  if (!Legend.empty())
    append(Out, R"(<ul class="legend">{}</ul>)", Legend);
  Out += Drawing;
  if (!Method.empty())
    append(Out, R"(<p class="method">{}</p>)", escape(Method));
  return Out + "</figure>\n";
}

std::string openSvg(double High, std::string_view Title) {
  return fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">)",
                     Width, High, escape(Title));
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

class ChartDrawing {
public:
  explicit ChartDrawing(const Chart &C) : C(C) {
    for (const Series &S : C.Lines)
      if (!S.From)
        Own.push_back(&S);
    fitVerticalAxis();
    std::vector<double> Xs;
    for (const Series &S : C.Lines)
      for (const auto &[X, Y] : S.Points)
        Xs.push_back(X);
    Horizontal = horizontalAxis(std::move(Xs), C.X);
    placeEndLabels();
  }

  std::string draw() {
    Out = openSvg(Height, C.Title);
    drawGrid();
    for (const Series &S : C.Lines)
      if (S.From)
        drawPublished(S);
    for (size_t I = 0; I != Own.size(); ++I)
      drawOwn(*Own[I], I);
    // Above the lines, so that the words stay legible.
    drawLandmarks();
    drawEndLabels();
    for (const LevelMark &M : C.Levels)
      if (inRange(M.At))
        addMark(Out, M.From.Source, Left, atY(M.At), M.Tooltip);
    Out += "</svg>";
    std::string Method = C.Method;
    for (const LevelMark &M : C.Levels)
      if (!inRange(M.At))
        append(Method, "{}{}", Method.empty() ? "" : "; ",
               fmt::format("off the scale: {}", M.Tooltip));
    return figure(C.Title, C.Path, C.Badge, legend(), Out, Method);
  }

private:
  double atX(double V) const {
    return Left + Horizontal.place(V) * (PlotRight - Left);
  }
  double atY(double V) const {
    return Bottom - Vertical.place(V) * (Bottom - Top);
  }
  bool inRange(double V) const {
    return V >= Vertical.Low && V <= Vertical.High;
  }

  /// The axis follows the profile's own values; those of the literature widen
  /// it up to twice the range, so that another machine does not flatten it.
  void fitVerticalAxis() {
    std::vector<double> Ys = C.YAtLeast;
    for (const Series &S : C.Lines)
      for (size_t I = 0; I != S.Points.size(); ++I) {
        Ys.push_back(S.Points[I][1]);
        if (I < S.Intervals.size() && S.Intervals[I])
          Ys.insert(Ys.end(), S.Intervals[I]->begin(), S.Intervals[I]->end());
      }
    const double Most =
        Ys.empty() ? 0 : *std::max_element(Ys.begin(), Ys.end());
    const double Least =
        Ys.empty() ? 0 : *std::min_element(Ys.begin(), Ys.end());
    for (const LevelMark &M : C.Levels)
      if (M.At <= 2 * Most && M.At >= Least / 2)
        Ys.push_back(M.At);
    Vertical = verticalAxis(std::move(Ys), C.Y);
  }

  /// Names at the ends of the lines where they fit; else there is a legend.
  void placeEndLabels() {
    if (Own.size() < 2 || Own.size() > 5 || C.Dots)
      return;
    double Room = 0;
    for (const Series *S : Own) {
      if (S->Points.empty() || letters(S->Name) > 16)
        return;
      Room = std::max(Room, widthOf(S->Name));
      EndLabels.push_back(atY(S->Points.back()[1]));
    }
    std::vector<double> Sorted = EndLabels;
    std::sort(Sorted.begin(), Sorted.end());
    for (size_t I = 1; I != Sorted.size(); ++I)
      if (Sorted[I] - Sorted[I - 1] < LineHeight) {
        EndLabels.clear();
        return;
      }
    PlotRight = Right - Room - 4;
  }

  void drawGrid() {
    for (const Tick &T : Vertical.Ticks)
      append(Out,
             R"(<path class="grid" d="M{0} {1:.1f}H{2:.1f}"/><text class="ty" )"
             R"(x="{3}" y="{1:.1f}" dy=".35em">{4}</text>)",
             Left, atY(T.At), PlotRight, Left - 7, escape(T.Text));
    double Free = 0;
    for (const Tick &T : Horizontal.Ticks) {
      const double X = atX(T.At), Half = widthOf(T.Text) / 2;
      append(Out, R"(<path class="tick" d="M{:.1f} {}v4"/>)", X, Bottom);
      if (X - Half < Free)
        continue;
      // The last label stays inside of the picture.
      append(Out, R"(<text class="tx" x="{:.1f}" y="{}">{}</text>)",
             std::min(X, Width - Half), Bottom + 16, escape(T.Text));
      Free = X + Half + 5;
    }
    append(Out, R"(<path class="axis" d="M{} {}H{:.1f}"/>)", Left, Bottom,
           PlotRight);
    append(Out, R"(<text class="ax" x="{:.1f}" y="{}">{}{}</text>)", PlotRight,
           Bottom + 33, escape(axisTitle(C.X)),
           Horizontal.Logarithmic ? " (log scale)" : "");
  }

  void drawLandmarks() {
    for (const Landmark &L : C.Landmarks) {
      if (L.At < Horizontal.Low || L.At > Horizontal.High)
        continue;
      const double X = atX(L.At);
      const bool ToTheLeft = X > (Left + PlotRight) / 2;
      append(
          Out,
          R"(<path class="mark" d="M{0:.1f} {1}V{2}"/><text class="note {3}" )"
          R"(x="{4:.1f}" y="{5}">{6}</text>)",
          X, Top, Bottom, ToTheLeft ? "end" : "start",
          ToTheLeft ? X + 3 : X - 3, Top - 3, escape(L.Name));
    }
  }

  std::string tooltip(const std::string &Name, double X, double Y) const {
    return fmt::format("{}{}{} {}: {}", Name, Name.empty() ? "" : ", ",
                       C.X.Name, withUnit(X, C.X.Unit), withUnit(Y, C.Y.Unit));
  }

  /// For each pixel column the least and the greatest, in order.
  std::vector<std::array<double, 2>>
  thinned(const std::vector<std::array<double, 2>> &Points) const {
    if (Points.size() <= MostPoints)
      return Points;
    std::vector<std::array<double, 2>> Kept;
    const auto Column = [&](size_t I) { return std::floor(atX(Points[I][0])); };
    for (size_t From = 0; From != Points.size();) {
      size_t Low = From, High = From, I = From;
      for (; I != Points.size() && Column(I) == Column(From); ++I) {
        Low = Points[I][1] < Points[Low][1] ? I : Low;
        High = Points[I][1] > Points[High][1] ? I : High;
      }
      Kept.push_back(Points[std::min(Low, High)]);
      if (Low != High)
        Kept.push_back(Points[std::max(Low, High)]);
      From = I;
    }
    return Kept;
  }

  void drawLine(const std::vector<std::array<double, 2>> &Points) {
    char Step = 'M';
    for (const auto &[X, Y] : Points) {
      append(Out, "{}{:.1f} {:.1f}", Step, atX(X), atY(Y));
      Step = 'L';
    }
  }

  void drawPublished(const Series &S) {
    const std::vector<std::array<double, 2>> Points = thinned(S.Points);
    if (!C.Dots && Points.size() > 1) {
      Out += R"(<path class="litline" d=")";
      drawLine(Points);
      Out += R"("/>)";
    }
    for (const auto &[X, Y] : Points)
      addMark(Out, S.From->Source, atX(X), atY(Y), tooltip(S.Name, X, Y));
  }

  std::string colour(size_t Index) const {
    if (!C.Ordered || Own.size() < 2)
      return fmt::format(R"(class="s{}")", Index % Colours);
    return fmt::format(R"(class="s0" opacity="{:.2f}")",
                       0.3 + 0.7 * double(Index) / double(Own.size() - 1));
  }

  void drawOwn(const Series &S, size_t Index) {
    append(Out, "<g {}>", colour(Index));
    const std::vector<std::array<double, 2>> Points = thinned(S.Points);
    if (!C.Dots && Points.size() > 1) {
      append(Out, R"(<path class="line{}" d=")",
             !C.Ordered && Index >= Colours ? " dashed" : "");
      drawLine(Points);
      Out += R"("/>)";
    }
    for (size_t I = 0; I != S.Intervals.size(); ++I)
      if (S.Intervals[I])
        append(Out, R"(<path class="whisker" d="M{:.1f} {:.1f}V{:.1f}"/>)",
               atX(S.Points[I][0]), atY((*S.Intervals[I])[0]),
               atY((*S.Intervals[I])[1]));
    const bool Quiet = !C.Dots && Points.size() > MostDots;
    const std::string Name = Own.size() > 1 ? S.Name : "";
    for (const auto &[X, Y] : Points)
      append(Out,
             R"(<circle{} cx="{:.1f}" cy="{:.1f}" r="{}"><title>{}</title>)"
             "</circle>",
             Quiet ? R"( class="quiet")" : "", atX(X), atY(Y),
             C.Dots ? 1.8 : 2.4, escape(tooltip(Name, X, Y)));
    Out += "</g>";
  }

  void drawEndLabels() {
    for (size_t I = 0; I != EndLabels.size(); ++I)
      append(Out,
             R"(<g {}><text class="name" x="{:.1f}" y="{:.1f}" dy=".35em">{})"
             "</text></g>",
             // Pale names would be hard to read.
             C.Ordered ? R"(class="s0")" : colour(I), PlotRight + 7,
             EndLabels[I], escape(Own[I]->Name));
  }

  std::string legend() const {
    std::string Entries;
    append(Entries, R"(<li class="what">{}{}</li>)", escape(axisTitle(C.Y)),
           Vertical.Logarithmic ? " (log scale)" : "");
    if (Own.size() > 1 && EndLabels.empty())
      for (size_t I = 0; I != Own.size(); ++I)
        append(
            Entries,
            R"(<li><svg class="key" viewBox="-8 -6 16 12" aria-hidden="true">)"
            R"(<g {}><path class="line" d="M-7 0H7"/></g></svg>{}</li>)",
            colour(I), escape(Own[I]->Name));
    std::map<size_t, std::string> Sources;
    for (const Series &S : C.Lines)
      if (S.From)
        Sources.emplace(S.From->Source, S.From->Name);
    for (const LevelMark &M : C.Levels)
      if (inRange(M.At))
        Sources.emplace(M.From.Source, M.From.Name);
    return Entries + legendOf(Sources);
  }

  const Chart &C;
  std::vector<const Series *> Own;
  Axis Horizontal, Vertical;
  double PlotRight = Right;
  std::vector<double> EndLabels; ///< y of the names, empty when they collide
  std::string Out;
};

} // namespace

std::string charts::drawChart(const Chart &C) { return ChartDrawing(C).draw(); }

//===----------------------------------------------------------------------===//
// Bars
//===----------------------------------------------------------------------===//

std::string charts::drawBars(const BarChart &C) {
  constexpr double Row = 21, Thick = 11;
  double NameRoom = 0, ValueRoom = 0;
  std::vector<double> Values;
  for (const Bar &B : C.Bars) {
    NameRoom = std::max(NameRoom, std::min(widthOf(B.Name), 150.0));
    ValueRoom = std::max(ValueRoom, widthOf(number(B.Value)));
    Values.push_back(B.Value);
    if (B.Interval)
      Values.insert(Values.end(), B.Interval->begin(), B.Interval->end());
  }
  const double Longest =
      Values.empty() ? 0 : *std::max_element(Values.begin(), Values.end());
  // A mark far beyond the bars is named, not drawn: it would flatten them.
  const auto InRange = [&](const LevelMark &M) { return M.At <= 2 * Longest; };
  std::map<size_t, std::string> Sources;
  std::string Method = C.Method;
  for (const Bar &B : C.Bars)
    for (const LevelMark &M : B.Marks)
      if (InRange(M)) {
        Values.push_back(M.At);
        Sources.emplace(M.From.Source, M.From.Name);
      } else {
        append(Method, "{}off the scale: {}", Method.empty() ? "" : "; ",
               M.Tooltip);
      }
  const Axis A = barAxis(Values);
  const double From = NameRoom + 18, To = Width - ValueRoom - 14;
  const auto At = [&](double V) { return From + A.place(V) * (To - From); };
  const double End = 6 + Row * double(C.Bars.size());

  std::string Out = openSvg(End + 40, C.Title);
  for (const Tick &T : A.Ticks)
    append(Out,
           R"(<path class="grid" d="M{0:.1f} 4V{1}"/><text class="tx" )"
           R"(x="{0:.1f}" y="{2}">{3}</text>)",
           At(T.At), End, End + 14, escape(T.Text));
  for (size_t I = 0; I != C.Bars.size(); ++I) {
    const Bar &B = C.Bars[I];
    const double Y = 6 + Row * double(I) + Row / 2;
    append(Out,
           R"(<text class="ty" x="{:.1f}" y="{:.1f}" dy=".35em">{}</text>)"
           R"(<rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" )"
           R"(height="{}"><title>{}</title></rect>)",
           From - 7, Y, escape(B.Name), std::min(At(0), At(B.Value)),
           Y - Thick / 2, std::fabs(At(B.Value) - At(0)), Thick,
           escape(B.Tooltip));
    double LabelAt = At(std::max(0.0, B.Value));
    if (B.Interval) {
      append(Out, R"(<path class="whisker ink" d="M{:.1f} {:.1f}H{:.1f}"/>)",
             At((*B.Interval)[0]), Y, At((*B.Interval)[1]));
      LabelAt = std::max(LabelAt, At((*B.Interval)[1]));
    }
    for (const LevelMark &M : B.Marks)
      if (InRange(M)) {
        addMark(Out, M.From.Source, At(M.At), Y, M.Tooltip);
        // The number keeps clear of marks just behind the bar.
        if (At(M.At) > LabelAt - 6 && At(M.At) < LabelAt + ValueRoom + 12)
          LabelAt = std::max(LabelAt, At(M.At) + 5);
      }
    append(Out,
           R"(<text class="value" x="{:.1f}" y="{:.1f}" dy=".35em">{}</text>)",
           std::min(LabelAt + 5, Width - widthOf(number(B.Value))), Y,
           number(B.Value));
  }
  append(Out,
         R"(<path class="axis" d="M{:.1f} 4V{}"/><text class="ax" x="{}" )"
         R"(y="{}">{}</text></svg>)",
         At(0), End, To, End + 31, escape(C.Unit));
  return figure(C.Title, C.Path, "", legendOf(Sources), Out, Method);
}
