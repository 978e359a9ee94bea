package native

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestHoisted: values of a row that the lane loop reads are right in every turn of the loop, where there are more of
// them than registers. All operations are exact.
func TestHoisted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 150 {
		k, err := kernel.Parse(hoistedText(r))
		require.NoError(t, err)
		for _, f := range runnable() {
			code, err := CompileFor(k, f)
			require.NoError(t, err)
			require.NoError(t, kerneltest.Check(r, k, code, 0), "%v", f.Level)
			code.Close()
		}
	}
}

// hoistedText is a nest on rows of 64 with values that depend on the row alone, and values that depend on both.
func hoistedText(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`nest "hoisted" outer=[3,64] inner=[] {
  port f32 in len=3 offset=0 outer=[1,0] inner=[]
  port f32 in len=192 offset=0 outer=[64,1] inner=[]
  port f32 out len=192 offset=0 outer=[64,1] inner=[]
  stage {
    %0 = load f32 port=0
    %1 = load f32 port=1
`)
	row, point, last := []int{0}, []int{1}, 1
	either := func() string { return []string{"min", "max"}[r.IntN(2)] }
	add := func(list []int, format string, arguments ...any) []int {
		last++
		fmt.Fprintf(&b, "    %%%d = %s\n", last, fmt.Sprintf(format, arguments...))
		return append(list, last)
	}
	any := func(list []int) int { return list[r.IntN(len(list))] }
	for range 4 + r.IntN(40) {
		row = add(row, "%s f32 %%%d %%%d", either(), any(row), any(row))
		row = add(row, "neg f32 %%%d", any(row))
	}
	for range 4 + r.IntN(40) {
		other := row
		if r.IntN(3) == 0 {
			other = point
		}
		point = add(point, "%s f32 %%%d %%%d", either(), any(point), any(other))
	}
	result := point[:1]
	for _, v := range point[1:] {
		result = add(result, "max f32 %%%d %%%d", result[len(result)-1], v)
	}
	fmt.Fprintf(&b, "    store f32 %%%d port=2\n  }\n}\n", last)
	return b.String()
}
