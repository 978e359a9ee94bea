package opinfo_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor/opinfo"
)

// archive reads programs that the project keeps, by family.
func archive(t testing.TB, name string) map[string][]*opinfo.Program {
	suite, err := opinfo.Open("testdata/" + name + ".tar.gz")
	require.NoError(t, err)
	families := map[string][]*opinfo.Program{}
	for _, name := range suite.Families() {
		families[name], err = suite.Programs(name)
		require.NoError(t, err)
	}
	return families
}

// pending reads the names of programs that do not pass yet.
func pending(t testing.TB) map[string]bool { return names(t, "pending.txt") }

// names reads a list of programs.
func names(t testing.TB, file string) map[string]bool {
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if name := strings.TrimSpace(line); name != "" && name[0] != '#' {
			names[name] = true
		}
	}
	return names
}

// TestPrograms runs every program on the array. A program passes or stands in
// pending.txt, and one that stands there must fail: the list only gets shorter.
func TestPrograms(t *testing.T) {
	families, waiting := archive(t, "programs"), pending(t)
	total, passed := 0, 0
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for i, p := range families[family] {
			if i%longtest.Sample(6, 6, 1) != 0 {
				continue
			}
			total++
			switch err := p.Run(acap.Device()); {
			case err == nil:
				passed++
				if waiting[p.Name] {
					t.Errorf("%s passes: take it out of pending.txt", p.Name)
				}
			case !waiting[p.Name]:
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
	t.Logf("%d of %d programs passed", passed, total)
	require.Greater(t, total, longtest.Sample(1200, 1200, 6800))
}

// The eager host computes what the array does.
func TestHost(t *testing.T) {
	families, waiting := archive(t, "programs"), pending(t)
	for _, family := range []string{"add", "sum", "cat", "sort", "softmax", "nonzero", "mm",
		"__getitem__"} {
		for _, p := range families[family] {
			if !waiting[p.Name] {
				require.NoError(t, p.Run(host.Device()), p.Name)
			}
		}
	}
}

// A program whose expectation is wrong fails, on outputs and on gradients.
func TestJudge(t *testing.T) {
	const line = `{"name":"mul/f32/0",` +
		`"inputs":[{"name":"a","tensor":{"dtype":"f32","shape":[],"off":0,"len":4},"grad":true}],` +
		`"ops":[{"op":"aten.mul.Tensor","args":[{"v":"a"},{"v":"a"}],"outs":["b"]}],` +
		`"outputs":[{"name":"b","tensor":{"dtype":"f32","shape":[],"off":%d,"len":4}}],` +
		`"grad_outputs":[{"name":"b","tensor":{"dtype":"f32","shape":[],"off":12,"len":4}}],` +
		`"grads":[{"name":"a","tensor":{"dtype":"f32","shape":[],"off":%d,"len":4}}]}`
	data := buf.From([]float32{3, 9, 6, 1}, 4).Bytes()
	run := func(output, grad int) error {
		programs, err := opinfo.Read(strings.NewReader(fmt.Sprintf(line, output, grad)), data, "test")
		require.NoError(t, err)
		return programs[0].Run(device.Device(acap.Device()))
	}
	require.NoError(t, run(4, 8))
	require.ErrorContains(t, run(8, 8), "output b: element 0 is 9, expected 6")
	require.ErrorContains(t, run(4, 4), "gradient of a: element 0 is 6, expected 9")
	_, err := opinfo.Read(strings.NewReader("{\n"), nil, "test")
	require.ErrorContains(t, err, "test:1:")
}

// judge runs one operator on a f32 matrix or vector and compares with what is expected.
func judge(t *testing.T, op, args string, dims []int, self []float32, outs ...*buf.Buffer) error {
	data := buf.From(self, len(self)).Bytes()
	describe := func(name, d string, dims []int, at, n int) string {
		return fmt.Sprintf(`{"name":%q,"tensor":{"dtype":%q,"shape":%s,"off":%d,"len":%d}}`, name, d,
			strings.ReplaceAll(fmt.Sprint(dims), " ", ","), at, n)
	}
	var names, outputs []string
	for i, b := range outs {
		name := fmt.Sprintf("v%d", i)
		names = append(names, strconv.Quote(name))
		outputs = append(outputs, describe(name, b.DType.String(), b.Shape, len(data), len(b.Bytes())))
		data = append(data, b.Bytes()...)
	}
	line := fmt.Sprintf(`{"name":"f/f32/0","inputs":[%s],"ops":[{"op":%q,"args":[{"v":"x"}%s],`+
		`"outs":[%s]}],"outputs":[%s]}`, describe("x", "f32", dims, 0, 4*len(self)), op, args,
		strings.Join(names, ","), strings.Join(outputs, ","))
	programs, err := opinfo.Read(strings.NewReader(line), data, "test")
	require.NoError(t, err)
	return programs[0].Run(acap.Device())
}

// Results that are not unique pass if they are defined, and fail if not.
func TestAmbiguous(t *testing.T) {
	f := func(dims []int, v ...float32) *buf.Buffer { return buf.From(v, dims...) }
	n := func(v ...int64) *buf.Buffer { return buf.From(v, len(v)) }
	vector, matrix := []int{3}, []int{2, 2}

	ties := []float32{5, 1, 5}
	sorted := f(vector, 1, 5, 5)
	require.NoError(t, judge(t, "aten.sort.default", "", vector, ties, sorted, n(1, 2, 0)))
	require.Error(t, judge(t, "aten.sort.default", "", vector, ties, sorted, n(1, 0, 1)))
	require.NoError(t, judge(t, "aten.kthvalue.default", ",3", vector, ties, f(nil, 5),
		buf.From([]int64{0})))
	require.Error(t, judge(t, "aten.kthvalue.default", ",3", vector, ties, f(nil, 5),
		buf.From([]int64{1})))

	unsorted := f([]int{2}, 5, 1)
	require.NoError(t, judge(t, "aten._unique2.default", ",false,true", vector, ties, unsorted,
		n(0, 1, 0)))
	require.Error(t, judge(t, "aten._unique2.default", ",true,true", vector, ties, unsorted,
		n(0, 1, 0)))

	nan := float32(math.NaN())
	plane := []float32{nan, 1, nan, 2}
	require.NoError(t, judge(t, "aten.max_pool2d_with_indices.default", ",[2,2]", []int{1, 2, 2}, plane,
		f([]int{1, 1, 1}, nan), buf.From([]int64{2}, 1, 1, 1)))
	require.Error(t, judge(t, "aten.max_pool2d_with_indices.default", ",[2,2]", []int{1, 2, 2}, plane,
		f([]int{1, 1, 1}, nan), buf.From([]int64{1}, 1, 1, 1)))
	require.NoError(t, judge(t, "aten._unique2.default", ",false,false,true", vector, ties, unsorted,
		buf.From([]int64{}, 0), n(2, 1)))

	a := []float32{3, 1, 4, 2} // Q and R with the signs of rows and columns turned
	q, r := f(matrix, 0.6, -0.8, 0.8, 0.6), f(matrix, 5, 2.2, 0, 0.4)
	require.NoError(t, judge(t, "aten.linalg_qr.default", "", matrix, a, q, r))
	transposed := f(matrix, 3, 4, 1./3, 2./3) // the factors of the transpose
	require.NoError(t, judge(t, "aten._linalg_det.default", "", matrix, a, f(nil, 2), transposed,
		buf.From([]int32{1, 2}, 2)))
	require.Error(t, judge(t, "aten._linalg_det.default", "", matrix, a, f(nil, 3), transposed,
		buf.From([]int32{1, 2}, 2)))
	require.NoError(t, judge(t, "aten._linalg_svd.default", "", matrix, []float32{2, 0, 0, 1},
		f(matrix, -1, 0, 0, 1), f([]int{2}, 2, 1), f(matrix, -1, 0, 0, 1)))
	require.NoError(t, judge(t, "aten._linalg_eigh.default", "", matrix, []float32{2, 0, 0, 5},
		f([]int{2}, 2, 5), f(matrix, -1, 0, 0, 1)))
	require.Error(t, judge(t, "aten._linalg_eigh.default", "", matrix, []float32{2, 0, 0, 5},
		f([]int{2}, 2, 6), f(matrix, 1, 0, 0, 1)))
}

func ExampleClose() {
	fmt.Println(opinfo.Close(buf.From([]float32{1}, 1), buf.From([]float32{2}, 1), 1e-3, 1e-3))
	// Output: element 0 is 1, expected 2
}
