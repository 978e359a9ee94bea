package hostile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// Limits of one call. Time is its processor time, Wait its time by the clock, Memory the largest single allocation, and
// Allocated the sum of all its allocations, garbage included.
const (
	Time      = 10 * time.Second
	Wait      = 20 * Time
	Memory    = 256 << 20
	Allocated = 8 << 30
)

// spared are functions and methods that are not called, with the reason.
var spared = map[string]string{
	"device.Register":            "a driver stays for the whole process",
	"device.SetLoader":           "a loader stays for the whole process",
	"lazy.Debug":                 "prints for all that comes after",
	"(*acap.Array).CompileGroup": "is for the compiler, which makes the groups",
}

var names = slices.Sorted(maps.Keys(functions))

// Drawn is a call that is ready to be made.
type Drawn struct {
	f    reflect.Value
	args []reflect.Value
	Text string
}

// Draw chooses a function, or a method of a value, and its arguments.
func (v *Values) Draw() Drawn {
	for {
		var name string
		var f reflect.Value
		if v.IntN(3) == 0 {
			name = pick(v.Rand, names)
			f = reflect.ValueOf(functions[name])
		} else {
			name, f = v.method()
		}
		if f.IsValid() && spared[name] == "" && !internal(f.Type()) {
			return v.draw(name, f)
		}
	}
}

// draw chooses arguments.
func (v *Values) draw(name string, f reflect.Value) Drawn {
	d := Drawn{f: f}
	t := f.Type()
	for i := range t.NumIn() {
		if t.IsVariadic() && i == t.NumIn()-1 {
			for range v.IntN(4) {
				d.args = append(d.args, v.of(t.In(i).Elem(), 0))
			}
		} else {
			d.args = append(d.args, v.of(t.In(i), 0))
		}
	}
	var list []string
	for _, a := range d.args {
		list = append(list, brief(a))
	}
	d.Text = name + "(" + strings.Join(list, ", ") + ")"
	return d
}

// method chooses a method of a tensor, of what a call returned, or of a struct that has some fields.
func (v *Values) method() (string, reflect.Value) {
	t := tensorType
	switch v.IntN(4) {
	case 0:
		if t = pick(v.Rand, types); t.Kind() != reflect.Interface {
			t = reflect.PointerTo(t)
		}
	case 1:
		all := slices.SortedFunc(maps.Keys(v.kept), func(a, b reflect.Type) int { return strings.Compare(a.String(), b.String()) })
		t = pick(v.Rand, all)
	}
	x := v.of(t, 0)
	if x.Kind() == reflect.Interface {
		x = x.Elem()
	}
	if !x.IsValid() || isNil(x) && t != tensorType || x.NumMethod() == 0 || !ours(x.Type()) {
		return "", reflect.Value{}
	}
	i := v.IntN(x.NumMethod())
	return fmt.Sprintf("(%s).%s", x.Type(), x.Type().Method(i).Name), x.Method(i)
}

// internal reports whether a function is for those who extend the library: it takes what only the
// compiler and traces make.
func internal(f reflect.Type) bool {
	for i := range f.NumIn() {
		t := f.In(i)
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		path := strings.TrimPrefix(t.PkgPath(), module)
		for _, below := range []string{"mlir", "ops", "trace", "device/"} {
			if path != t.PkgPath() && strings.HasPrefix(path, below) {
				return true
			}
		}
	}
	return false
}

const module = "github.com/go-acap/acap/"

// public are the packages whose functions are called.
var public = func() map[string]bool {
	paths := map[string]bool{}
	for _, t := range types {
		paths[t.PkgPath()] = true
	}
	return paths
}()

// ours reports whether a type is of the public packages.
func ours(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return public[t.PkgPath()] && t != reflect.TypeFor[device.Slot]()
}

// watch ends the process when a call takes more than Time of processors, or more than Wait by the clock.
// The clock alone would blame a call for what else the machine does. The result ends the watch.
func watch(call string) (stop func()) {
	start, used := time.Now(), cputime.Used()
	done := make(chan struct{})
	go func() {
		for tick := time.NewTicker(time.Second); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				if cputime.Used()-used > Time || time.Since(start) > Wait {
					panic(call + " does not end")
				}
			}
		}
	}()
	return func() { close(done) }
}

// Call makes a call, computes its results and keeps them. An error tells which rule of all calls was broken; a refusal
// by the call itself is no error.
func (v *Values) Call(d Drawn) (err error) {
	defer lazy.MaxPending(0, 0)
	defer buf.SetLimit(buf.SetLimit(Memory))
	defer watch(d.Text)()
	before := allocated()
	defer func() {
		if n := allocated() - before; n > Allocated {
			err = errors.Join(err, fmt.Errorf("allocates %d MiB", n>>20))
		}
	}()
	defer func() {
		if p := recover(); p != nil {
			err = judge(p)
		}
	}()
	for _, r := range d.f.Call(d.args) {
		if e, ok := r.Interface().(error); ok && strings.Contains(e.Error(), "%!") {
			return fmt.Errorf("formats its error wrongly: %w", e)
		}
		v.take(r)
	}
	return nil
}

// take computes tensors, turns iterators round and keeps the rest.
func (v *Values) take(r reflect.Value) {
	switch x := r.Interface().(type) {
	case *tensor.Tensor:
		if x == nil {
			return
		}
		if b, err := x.Buffer(context.Background()); err != nil || b.Len() > 1<<16 {
			return
		}
	case []*tensor.Tensor:
		for _, t := range x[:min(len(x), 4)] {
			v.take(reflect.ValueOf(t))
		}
		return
	}
	if r.Kind() == reflect.Func && !r.IsNil() && (r.Type().CanSeq() || r.Type().CanSeq2()) {
		v.turn(r)
		return
	}
	v.keep(r)
}

// turn takes a few elements of an iterator.
func (v *Values) turn(seq reflect.Value) {
	yield := seq.Type().In(0)
	left := v.IntN(4)
	seq.Call([]reflect.Value{reflect.MakeFunc(yield, func(args []reflect.Value) []reflect.Value {
		for _, a := range args {
			v.take(a)
		}
		left--
		return []reflect.Value{reflect.ValueOf(left > 0)}
	})})
}

// judge returns an error for a panic that is not typed or does not name the caller.
func judge(p any) error {
	stack := make([]byte, 1<<14)
	stack = stack[:runtime.Stack(stack, false)]
	err, ok := p.(error)
	if !ok {
		return fmt.Errorf("panics with %T: %v\n%s", p, p, stack)
	}
	if !typed(err) {
		return fmt.Errorf("panics with %T: %w\n%s", p, err, stack)
	}
	if text := err.Error(); !strings.HasPrefix(text, "call.go:") && !strings.HasPrefix(text, "values.go:") || strings.Contains(text, "%!") {
		return fmt.Errorf("panics without the caller's line, or badly formatted: %w\n%s", err, stack)
	}
	return nil
}

func typed(err error) bool {
	var s *tensor.ShapeError
	var d *tensor.DTypeError
	var a *tensor.ArgError
	var dev *tensor.DeviceError
	var memory *buf.MemoryError
	var limit *lazy.LimitError
	var open *device.OpenError
	return errors.As(err, &s) || errors.As(err, &d) || errors.As(err, &a) || errors.As(err, &dev) ||
		errors.As(err, &memory) || errors.As(err, &limit) || errors.As(err, &open)
}

// allocated counts the bytes that were allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
