package hostile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"image"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

var (
	oddInts = []int64{0, 1, 2, -1, 3, 4, -2, 5, 7, 16, 100, 1 << 20, 1 << 31, -1 << 31, 1 << 40,
		1 << 47, 1 << 62, math.MinInt64, math.MaxInt64}
	oddFloats = []float64{0, 1, -1, 0.5, 2, 2.5, -0.25, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 1e-300, -1e18}
	oddTexts  = []string{"", "mean", "sum", "none", "reflect", "ij", "nonsense", "host", "acap", "npu2", "x", "0",
		"weight", "a,b\n1,2\n", "%s%d", "\x00"}
	oddShapes = [][]int{{}, {0}, {1}, {2}, {3}, {2, 3}, {3, 3}, {0, 3}, {1, 1}, {2, 3, 3}, {1, 2, 3, 4}, {2, 3, 4, 4}}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// Values draws arguments: ordinary and odd ones, and what calls returned.
type Values struct {
	*rand.Rand
	devices []device.Device
	paths   []string
	kept    map[reflect.Type][]reflect.Value
}

// NewValues makes values whose files are in a folder, which calls may change.
func NewValues(dir string, seed uint64) (*Values, error) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	v := &Values{Rand: rand.New(rand.NewPCG(seed, 5)), devices: []device.Device{host.Device(), acap.Device()},
		kept: map[reflect.Type][]reflect.Value{}}
	for name, text := range map[string]string{"empty": "", "garbage.npy": "\x93NUMPY\x01\x00v\x00{", "table.csv": "a,b\n1,2\n3,x\n",
		"zip.pt": "PK\x03\x04", "text.txt": "to be or not to be", "m.onnx": "\x08\x07", "w.safetensors": "\x08\x00\x00\x00\x00\x00\x00\x00{}"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
		v.paths = append(v.paths, path)
	}
	slices.Sort(v.paths) // whatever the order of the map
	v.paths = append(v.paths, dir, filepath.Join(dir, "missing", "x"), filepath.Join(dir, "new"))
	for _, x := range []any{context.Background(), over, v.devices[0], v.devices[1], image.NewGray(image.Rect(0, 0, 3, 2)),
		&image.RGBA{}, errors.New("an error")} {
		v.keep(reflect.ValueOf(x))
	}
	return v, nil
}

// keep remembers a value for later calls; of a type that many calls return, the last ones.
func (v *Values) keep(x reflect.Value) {
	if x.Kind() == reflect.Interface {
		x = x.Elem()
	}
	if !x.IsValid() || isNil(x) {
		return
	}
	list := v.kept[x.Type()]
	if len(list) == 12 {
		list[v.IntN(len(list))] = x
	} else {
		v.kept[x.Type()] = append(list, x)
	}
}

func isNil(x reflect.Value) bool {
	switch x.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Interface, reflect.Chan:
		return x.IsNil()
	}
	return false
}

// earlier returns a kept value that can be a t, if there is one.
func (v *Values) earlier(t reflect.Type) (reflect.Value, bool) {
	if t.Kind() != reflect.Interface {
		if list := v.kept[t]; len(list) > 0 {
			return pick(v.Rand, list), true
		}
		return reflect.Value{}, false
	}
	var fit []reflect.Type
	for have := range v.kept {
		if have.Implements(t) {
			fit = append(fit, have)
		}
	}
	if len(fit) == 0 {
		return reflect.Value{}, false
	}
	best := fit[0] // the choice must not depend on the order of the map
	salt := v.Uint64()
	for _, f := range fit[1:] {
		if order(f, salt) < order(best, salt) {
			best = f
		}
	}
	return pick(v.Rand, v.kept[best]), true
}

func order(t reflect.Type, salt uint64) uint64 {
	for _, c := range t.String() {
		salt = (salt ^ uint64(c)) * 0x100000001b3
	}
	return salt
}

var (
	tensorType  = reflect.TypeFor[*tensor.Tensor]()
	bufferType  = reflect.TypeFor[*buf.Buffer]()
	contextType = reflect.TypeFor[context.Context]()
)

// of draws a value of a type; depth bounds what is inside of what.
func (v *Values) of(t reflect.Type, depth int) reflect.Value {
	switch {
	case t == tensorType && v.IntN(20) > 0:
		return reflect.ValueOf(v.tensor())
	case t == bufferType && v.IntN(20) > 0:
		return reflect.ValueOf(v.buffer())
	case t == reflect.TypeFor[dtype.DType]():
		if v.IntN(10) == 0 {
			return reflect.ValueOf(dtype.DType(v.IntN(60)))
		}
		return reflect.ValueOf(pick(v.Rand, dtype.All()))
	case t == reflect.TypeFor[io.Reader](), t == reflect.TypeFor[io.ReaderAt]():
		text := make([]byte, v.IntN(40))
		for i := range text {
			text[i] = byte(v.Uint32())
		}
		return reflect.ValueOf(bytes.NewReader(text)).Convert(t)
	case t == reflect.TypeFor[io.Writer]():
		return reflect.ValueOf(io.Discard).Convert(t)
	}
	if depth > 3 {
		return reflect.Zero(t)
	}
	if x, ok := v.earlier(t); ok && (v.IntN(8) > 0 || t.Name() != "" && t.PkgPath() != "" && !token.IsExported(t.Name())) {
		return x.Convert(t)
	}
	return v.fresh(t, depth)
}

func (v *Values) fresh(t reflect.Type, depth int) reflect.Value {
	x := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		x.SetBool(v.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x.SetInt(v.int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x.SetUint(uint64(v.int()))
	case reflect.Float32, reflect.Float64:
		x.SetFloat(pick(v.Rand, oddFloats))
	case reflect.Complex64, reflect.Complex128:
		x.SetComplex(complex(pick(v.Rand, oddFloats), pick(v.Rand, oddFloats)))
	case reflect.String:
		if x.SetString(pick(v.Rand, oddTexts)); v.IntN(2) == 0 {
			x.SetString(pick(v.Rand, v.paths))
		}
	case reflect.Slice:
		if v.IntN(8) > 0 {
			x.Set(reflect.MakeSlice(t, v.IntN(5), 5))
			for i := range x.Len() {
				x.Index(i).Set(v.of(t.Elem(), depth+1))
			}
		}
	case reflect.Array:
		for i := range x.Len() {
			x.Index(i).Set(v.of(t.Elem(), depth+1))
		}
	case reflect.Map:
		if v.IntN(8) > 0 {
			x.Set(reflect.MakeMap(t))
			for range v.IntN(3) {
				x.SetMapIndex(v.of(t.Key(), depth+1), v.of(t.Elem(), depth+1))
			}
		}
	case reflect.Pointer:
		if t != tensorType && t != bufferType && !opaque(t.Elem()) && v.IntN(3) > 0 {
			x.Set(reflect.New(t.Elem()))
			x.Elem().Set(v.fresh(t.Elem(), depth+1))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && v.IntN(3) > 0 {
				x.Field(i).Set(v.of(t.Field(i).Type, depth+1))
			}
		}
	case reflect.Func:
		if v.IntN(8) > 0 {
			x.Set(v.function(t, depth))
		}
	case reflect.Interface:
		if t == contextType {
			x.Set(reflect.ValueOf(context.Background()))
		} else if t.NumMethod() == 0 {
			x.Set(v.any(depth))
		}
	}
	return x
}

// made are structs with fields that may be changed, and which only functions make.
var made = func() map[reflect.Type]bool {
	list := map[reflect.Type]bool{reflect.TypeFor[lazy.Run](): true, reflect.TypeFor[device.Slot](): true,
		reflect.TypeFor[acap.Program](): true}
	for _, f := range functions {
		t := reflect.TypeOf(f)
		for i := range t.NumOut() {
			if out := t.Out(i); out.Kind() == reflect.Pointer {
				list[out.Elem()] = true
			}
		}
	}
	return list
}()

// opaque reports whether a struct has no field that its user may fill in: values of it come from calls.
func opaque(t reflect.Type) bool {
	if made[t] || strings.HasSuffix(t.Name(), "Error") {
		return true
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return false
		}
	}
	return true
}

// any returns a value of any type for a parameter that takes all.
func (v *Values) any(depth int) reflect.Value {
	switch v.IntN(5) {
	case 0:
		return reflect.ValueOf(v.int())
	case 1:
		return reflect.ValueOf(v.tensor())
	case 2:
		return v.of(reflect.PointerTo(pick(v.Rand, types)), depth+1)
	}
	kind := pick(v.Rand, []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[float64](), reflect.TypeFor[string](),
		reflect.TypeFor[[]int](), reflect.TypeFor[[]float32](), reflect.TypeFor[[][]int32](), reflect.TypeFor[bool](),
		reflect.TypeFor[[]*tensor.Tensor](), reflect.TypeFor[complex128](), reflect.TypeFor[map[string]any](),
		reflect.TypeFor[chan int](), reflect.TypeFor[func()](), reflect.TypeFor[dtype.DType]()})
	return v.of(kind, depth+1)
}

// function returns one that gives an argument back where the types agree, and anything else otherwise. It may be called
// from many goroutines, so that each call has values of its own.
func (v *Values) function(t reflect.Type, depth int) reflect.Value {
	seed, calls := v.Uint64(), new(atomic.Uint64)
	devices, paths := v.devices, v.paths
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		v := &Values{rand.New(rand.NewPCG(seed, calls.Add(1))), devices, paths, map[reflect.Type][]reflect.Value{}}
		var results []reflect.Value
		for i := range t.NumOut() {
			out := t.Out(i)
			if out == reflect.TypeFor[error]() && v.IntN(4) > 0 {
				results = append(results, reflect.Zero(out))
				continue
			}
			if len(args) > 0 && v.IntN(2) == 0 {
				if a := pick(v.Rand, args); a.Type() == out {
					results = append(results, a)
					continue
				}
			}
			results = append(results, v.of(out, depth+1))
		}
		return results
	})
}

func (v *Values) int() int64 {
	if v.IntN(5) > 0 {
		return pick(v.Rand, oddInts[:9])
	}
	return pick(v.Rand, oddInts)
}

// buffer returns one of any type and shape with ordinary or odd values.
func (v *Values) buffer() *buf.Buffer {
	d := dtype.F32
	if v.IntN(3) == 0 {
		d = pick(v.Rand, dtype.All())
	}
	b := buf.New(d, pick(v.Rand, oddShapes))
	kind := v.IntN(4)
	for i := range b.Len() {
		x := v.NormFloat64()
		if kind == 0 {
			x = pick(v.Rand, oddFloats)
		} else if kind == 1 {
			x = float64(v.IntN(3))
		}
		switch {
		case d.IsComplex():
			b.SetComplex(i, complex(x, 1))
		case d.IsFloat():
			b.SetFloat64(i, x)
		default:
			b.SetInt64(i, int64(max(min(x, 1e18), -1e18)))
		}
	}
	return b
}

// tensor returns one of any kind: new or returned by a call, on one of the devices, or nil.
func (v *Values) tensor() *tensor.Tensor {
	if list := v.kept[tensorType]; len(list) > 0 && v.IntN(3) == 0 {
		return pick(v.Rand, list).Interface().(*tensor.Tensor)
	}
	if v.IntN(30) == 0 {
		return nil
	}
	t := tensor.FromBuffer(v.buffer())
	if v.IntN(2) == 0 {
		t = t.To(v.devices[1])
	}
	if t.DType().IsFloat() && v.IntN(4) == 0 {
		t = t.RequiresGrad()
	}
	return t
}

// brief writes a value in one line.
func brief(x reflect.Value) string {
	if x.Kind() == reflect.Interface {
		x = x.Elem()
	}
	if !x.IsValid() || isNil(x) {
		return "nil"
	}
	switch y := x.Interface().(type) {
	case *tensor.Tensor:
		return y.DType().String() + fmt.Sprint(y.Shape()) + "@" + y.Device().Name()
	case *buf.Buffer:
		return "buffer of " + y.DType.String() + fmt.Sprint(y.Shape)
	}
	switch x.Kind() {
	case reflect.Slice:
		var list []string
		for i := range min(x.Len(), 6) {
			list = append(list, brief(x.Index(i)))
		}
		return x.Type().String() + "{" + strings.Join(list, ", ") + "}"
	case reflect.String:
		return fmt.Sprintf("%.60q", x.String())
	case reflect.Struct, reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan:
		return x.Type().String()
	}
	return fmt.Sprint(x)
}
