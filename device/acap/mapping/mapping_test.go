package mapping_test

import (
	"fmt"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestPatch checks that the windows of a tile read exactly what its output
// positions need, by walking every element.
func TestPatch(t *testing.T) {
	for _, c := range []workload.Convolution{
		{N: 1, C: 8, H: 14, W: 17, K: 4, R: 3, S: 3, StrideH: 1, StrideW: 1, DilationH: 1,
			DilationW: 1, Groups: 1, In: dtype.BF16},
		{N: 2, C: 3, H: 30, W: 31, K: 4, R: 7, S: 5, StrideH: 2, StrideW: 2, DilationH: 1,
			DilationW: 1, Groups: 1, In: dtype.I8},
		{N: 1, C: 12, H: 20, W: 20, K: 6, R: 3, S: 3, StrideH: 1, StrideW: 2, DilationH: 2,
			DilationW: 2, Groups: 3, In: dtype.F32},
	} {
		g := mapping.Mapping{PartsM: 2, OutRows: 2, OutCols: 4, TM: 8, TK: 8}
		p := mapping.PatchOf(&c, &g)
		if p.OutRows < c.OutH() || p.OutCols < c.OutW() {
			t.Errorf("%+v: %d x %d positions", c, p.OutRows, p.OutCols)
		}
		line := p.InCols * p.Channels
		for y := range g.OutRows {
			for x := range g.OutCols {
				seen := make(map[int]bool)
				for w := range p.Windows {
					for r := range c.R {
						at := p.Offset(&c, &g, w) + (r*c.DilationH+y*c.StrideH)*line +
							x*c.StrideW*p.Channels
						for k := range g.TK {
							if at+k >= p.Strip() {
								t.Fatalf("window %d leaves the strip", w)
							}
							seen[at+k] = true
						}
					}
				}
				for r := range c.R {
					for s := range c.S {
						for ch := range c.C / c.Groups {
							at := (y*c.StrideH+r*c.DilationH)*line +
								(x*c.StrideW+s*c.DilationW)*p.Channels + ch
							if !seen[at] {
								t.Fatalf("position %d, %d misses filter element %d, %d, %d", y, x, r, s, ch)
							}
						}
					}
				}
			}
		}
	}
}

func ExampleMapping() {
	g := mapping.Mapping{Kind: workload.KindContraction, Cols: 4, Rows: 4, PartsM: 4, PartsN: 4,
		TM: 64, TN: 64, TK: 64, Cascade: 1, StageM: 1, StageN: 1, Style: "vector", Depth: 2,
		OutDepth: 2}
	fmt.Println(g.Cores(), "cores:", g)
	// Output:
	// 16 cores: 4x4 parts 4x4 tile 64x64x64 depth 2/2 vector
}
