package mapper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/acap/workload/workloadtest"
)

// numbers are the addresses of all numbers and texts of a mapping.
func numbers(v reflect.Value) (list []reflect.Value) {
	if v.Kind() != reflect.Struct {
		return []reflect.Value{v}
	}
	for i := range v.NumField() {
		list = append(list, numbers(v.Field(i))...)
	}
	return list
}

// alter changes a number, a text or a truth.
func alter(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Int:
		n := v.Int()
		of := []int64{-1, 0, 1, 2, 3, n + 1, n - 1, 2 * n, 3 * n, n / 2, -n, 7, 64, 1000, 65536, 1 << 20, 1 << 31, 1 << 40, math.MaxInt64, math.MinInt64}
		v.SetInt(of[r.IntN(len(of))])
	case reflect.Uint8:
		v.SetUint(r.Uint64() % 16)
	case reflect.String:
		v.SetString([]string{"", "vector", "scalar", "none"}[r.IntN(4)])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		panic(v.Kind().String())
	}
}

// TestRestore: what is stored of a choice gives the same choice again, and what somebody has altered gives one that the
// machine can run, or an error, with little memory. ACAP_LONG=1 tries thirty times as many.
func TestRestore(t *testing.T) {
	kernels, each := longtest.Sample(4, 4, 50), longtest.Sample(30, 40, 100)
	r := rand.New(rand.NewPCG(5, 7))
	restored, refused := 0, 0
	for range kernels {
		w := workloadtest.Kernel(r)
		m := machinetest.Preset(t, []string{"npu1", "npu2", "vck190", "systolic-8x16-ws"}[r.IntN(4)])
		c, err := mapper.Map(m, w)
		if err != nil {
			continue
		}
		again, err := mapper.Restore(m, w, c.Stored())
		require.NoError(t, err)
		require.Equal(t, c.Timing, again.Timing)
		require.Equal(t, c.Mapping, again.Mapping)
		require.Len(t, again.Runners, len(c.Runners))
		for i := range c.Runners {
			require.Equal(t, c.Runners[i], again.Runners[i])
		}
		for range each {
			s := c.Stored()
			s.Runners = append([]mapping.Mapping(nil), s.Runners...)
			at := &s.Mapping
			if len(s.Runners) > 0 && r.IntN(4) == 0 {
				at = &s.Runners[r.IntN(len(s.Runners))]
			}
			fields := numbers(reflect.ValueOf(at).Elem())
			for range 1 + r.IntN(2) {
				alter(r, fields[r.IntN(len(fields))])
			}
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("%s %v: %+v: %v\n%s", m.Name, w.Kind, *at, p, debug.Stack())
					}
				}()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				c, err := mapper.Restore(m, w, s)
				runtime.ReadMemStats(&after)
				if n := after.TotalAlloc - before.TotalAlloc; n > 2<<30 {
					t.Errorf("%s %v: %+v: %d bytes", m.Name, w.Kind, *at, n)
				}
				if err != nil {
					refused++
					return
				}
				restored++
				_ = fmt.Sprint(c.Mapping)
				if !(c.Timing.Seconds > 0) || math.IsInf(c.Timing.Seconds, 0) {
					t.Errorf("%s %v: %+v takes %v", m.Name, w.Kind, *at, c.Timing.Seconds)
				}
			}()
		}
	}
	t.Logf("%d restored, %d refused", restored, refused)
	require.NotZero(t, restored)
	require.Greater(t, refused, restored)
}

// TestRestoreBounds: mappings that would take the model of programs very long, or that no program has, are refused by
// name.
func TestRestoreBounds(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	conv := &workload.Kernel{Name: "c", Kind: workload.KindConvolution, Convolution: workload.Convolution{
		N: 1, C: 1, H: 17, W: 17, K: 8, R: 3, S: 3, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1, Groups: 1,
		In: dtype.F32, Weight: dtype.F32, Acc: dtype.F32, Out: dtype.F32}}
	for want, alter := range map[string]func(*mapping.Mapping){
		"channel tiles 65536, not from 0 to 1": func(g *mapping.Mapping) { g.ChannelTiles = 1 << 16 },
		"row of mem tiles 2, not from 0 to 1":  func(g *mapping.Mapping) { g.Resident = 2 },
	} {
		c, err := mapper.Map(m, conv)
		require.NoError(t, err)
		s := c.Stored()
		alter(&s.Mapping)
		_, err = mapper.Restore(m, conv, s)
		require.ErrorContains(t, err, want)
	}
}
