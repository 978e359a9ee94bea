package device

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/fastmath"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/precision"
)

// Config says how a device compiles programs. It cannot be changed: each With method returns
// another one. The zero value leaves every choice to the device.
//
// A config comes from Go, from flags ([ConfigFlags]), or from a file ([ReadConfig]), and becomes the config of a
// device by [Configure].
type Config struct{ v settings }

// settings are the fields of a config as they stand in a file.
type settings struct {
	Pipeline    string   `json:"pipeline,omitempty"`
	Smallest    int      `json:"min_group,omitempty"`
	Separate    bool     `json:"separate_groups,omitempty"`
	Unsupported []string `json:"unsupported,omitempty"`
	Strict      bool     `json:"strict,omitempty"`
	Autocast    string   `json:"amp,omitempty"`
	Weights     string   `json:"weights,omitempty"`
	BF16        string   `json:"bf16,omitempty"`
	FastMath    int      `json:"fast_math,omitempty"`
	Fixed       bool     `json:"reproducible,omitempty"`
	Kernels     string   `json:"kernels,omitempty"`
}

// Pipeline is the text of the passes that run before the program is divided into groups; see
// package translate/passes. The default is empty.
func (c Config) Pipeline() string { return c.v.Pipeline }

// WithPipeline returns the config with a pipeline: names of passes or of registered pipelines.
func (c Config) WithPipeline(text string) Config { c.v.Pipeline = text; return c }

// Smallest is how many operations a group has at least; 0 leaves it to the device.
func (c Config) Smallest() int { return c.v.Smallest }

// WithSmallest returns the config with a smallest size of groups.
func (c Config) WithSmallest(operations int) Config { c.v.Smallest = max(operations, 0); return c }

// Separate tells whether groups stay apart that pass no values to each other.
func (c Config) Separate() bool { return c.v.Separate }

// WithSeparate returns the config with groups apart, or not.
func (c Config) WithSeparate(on bool) Config { c.v.Separate = on; return c }

// Unsupported lists operators that the device is not to be asked about.
func (c Config) Unsupported() []string { return slices.Clone(c.v.Unsupported) }

// WithUnsupported returns the config with further operators that run on the host: names such as
// "aten.sqrt" or "sqrt", which stand for all overloads, or "aten.add.Tensor".
func (c Config) WithUnsupported(operators ...string) Config {
	c.v.Unsupported = slices.Concat(c.v.Unsupported, operators)
	return c
}

// Excludes reports whether an operation's name is among the unsupported ones.
func (c Config) Excludes(operation string) bool {
	return slices.ContainsFunc(c.v.Unsupported, func(name string) bool {
		rest, ok := strings.CutPrefix(operation, "aten."+operator(name))
		return ok && (rest == "" || rest[0] == '.')
	})
}

// Strict tells whether a group that cannot be compiled is an error.
func (c Config) Strict() bool { return c.v.Strict }

// WithStrict returns the config with errors instead of groups that run on the host because they
// could not be compiled.
func (c Config) WithStrict(on bool) Config { c.v.Strict = on; return c }

// Autocast is the 16-bit type of automatic mixed precision, or Invalid without it.
func (c Config) Autocast() dtype.DType {
	d, _ := precision.ParseType(c.v.Autocast)
	return d
}

// WithAutocast returns the config with automatic mixed precision: products are computed in bf16 or
// f16, what is sensitive in f32; see package translate/passes/precision. Invalid ends it. Another type is
// a typed panic, an [*ops.DTypeError].
func (c Config) WithAutocast(to dtype.DType) Config {
	c.v.Autocast = ""
	if to != dtype.Invalid {
		if _, err := precision.ParseType(to.String()); err != nil {
			trace.Raise(&ops.DTypeError{Op: "autocast", Detail: err.Error()})
		}
		c.v.Autocast = to.String()
	}
	return c
}

// Weights is the format in which constant weights of matrix products are packed, or Plain.
func (c Config) Weights() dtype.Format {
	f, _ := dtype.ParseFormat(c.v.Weights)
	return f
}

// WithWeights returns the config with constant weights of matrix products packed in a format, and
// products computed as hardware does that keeps them so; see package translate/passes/precision. Plain ends
// it. Another format is a typed panic, an [*ops.ArgError].
func (c Config) WithWeights(f dtype.Format) Config {
	if !f.Valid() {
		trace.Raise(&ops.ArgError{Op: "weights", Detail: fmt.Sprintf("%v is no format of packed weights", f)})
	}
	c.v.Weights = f.String()
	return c
}

// The ways to multiply bf16.
const (
	BF16Exact    = "exact" // as it is
	BF16Emulated = "bfp16" // turned to block floating point, as fast kernels of some arrays do
)

// BF16 is how matrix products of bf16 are computed: [BF16Exact], [BF16Emulated], or "" for what the device does of
// itself.
func (c Config) BF16() string { return c.v.BF16 }

// WithBF16 returns the config with matrix products of bf16 computed in a way. Another word than the two, or "", is a
// typed panic, an [*ops.ArgError].
func (c Config) WithBF16(way string) Config {
	if err := checkBF16(way); err != nil {
		trace.Raise(&ops.ArgError{Op: "bf16", Detail: err.Error()})
	}
	c.v.BF16 = way
	return c
}

func checkBF16(way string) error {
	switch way {
	case "", BF16Exact, BF16Emulated:
		return nil
	}
	return fmt.Errorf("bf16 is multiplied as %s or as %s, and not as %q", BF16Exact, BF16Emulated, way)
}

// FastMath is the level from 0 to 4 that says how freely arithmetic is rewritten.
func (c Config) FastMath() int { return c.v.FastMath }

// WithFastMath returns the config with a level of fast arithmetic: 0 changes nothing, 1 rounds products and
// sums once, 2 multiplies by reciprocals, 3 joins constants and takes numbers for finite, 4 computes some
// functions by cheaper ones; docs/precision.md has the table. Another level is a typed panic, an
// [*ops.ArgError].
func (c Config) WithFastMath(level int) Config {
	if err := checkFastMath(level); err != nil {
		trace.Raise(&ops.ArgError{Op: "fast math", Detail: err.Error()})
	}
	c.v.FastMath = level
	return c
}

// Reproducible tells whether results have the same bits on every processor.
func (c Config) Reproducible() bool { return c.v.Fixed }

// WithReproducible returns the config with results that have the same bits for any number of rows beside a row, any
// number of threads, and on every processor, whatever its instruction set: sums are made in a fixed order. It
// takes longer; docs/precision.md says by how much.
func (c Config) WithReproducible(on bool) Config { c.v.Fixed = on; return c }

// Kernels returns the text of kernels that replace kernels of a program; see [Config.WithKernels].
func (c Config) Kernels() string { return c.v.Kernels }

// WithKernels returns the config with kernels that replace the kernels of the same names in the same groups. The text
// is an edited text of the stage kernel. A kernel keeps its ports: their number, order, types and lengths. A program
// that has no group or no kernel of a name, or a kernel with other ports, is not compiled. The empty text replaces
// nothing.
func (c Config) WithKernels(text string) Config { c.v.Kernels = text; return c }

func checkFastMath(level int) error {
	if level < 0 || level > fastmath.Highest {
		return fmt.Errorf("level %d is not from 0 to %d", level, fastmath.Highest)
	}
	return nil
}

// Passes returns the text of all passes that run before the program is divided: the pipeline, then autocast, then the
// packing of weights.
func (c Config) Passes() string {
	text := c.v.Pipeline
	if to := c.Autocast(); to != dtype.Invalid {
		text += "," + precision.PassName(to) + ",cse"
	}
	if f := c.Weights(); f != dtype.Plain {
		text += "," + precision.PackedName(f) + ",cse"
	}
	if c.v.BF16 == BF16Emulated {
		text += "," + precision.EmulateName + ",cse"
	}
	return strings.TrimPrefix(text, ",")
}

// IsZero reports whether the config leaves everything to the device.
func (c Config) IsZero() bool { return c.String() == "{}" }

// String returns the config as the JSON of a file.
func (c Config) String() string {
	text, err := json.Marshal(c.v)
	if err != nil {
		panic("BUG: device: " + err.Error())
	}
	return string(text)
}

// Short is [Config.String] for people to read: the SHA-256 of kernels stands for their text.
func (c Config) Short() string {
	if c.v.Kernels != "" {
		c.v.Kernels = fmt.Sprintf("SHA-256 %x", sha256.Sum256([]byte(c.v.Kernels)))
	}
	return c.String()
}

// ReadConfig reads a config in JSON, such as
//
//	{"pipeline": "inference", "min_group": 3, "unsupported": ["aten.sqrt"], "strict": true}
//
// An unknown field and a value out of its range are errors.
func ReadConfig(r io.Reader) (Config, error) {
	const most = 1 << 25
	var c Config
	d := json.NewDecoder(io.LimitReader(r, most))
	d.DisallowUnknownFields()
	var kind *json.UnmarshalTypeError
	switch err := d.Decode(&c.v); {
	case err == io.EOF:
		return Config{}, errors.New("config: the text is empty")
	case errors.As(err, &kind) && kind.Field != "":
		return Config{}, fmt.Errorf("config: %s is a %s, and not of type %s", kind.Field, kind.Value, kind.Type)
	case errors.As(err, &kind):
		return Config{}, fmt.Errorf(`config: it is no object such as {"strict": true}, but of kind %s`, kind.Value)
	case err != nil:
		return Config{}, fmt.Errorf("config: %w", err)
	}
	if d.More() {
		return Config{}, fmt.Errorf("config: more than one value")
	}
	for _, check := range []struct {
		name string
		err  error
	}{
		{"pipeline", checkPipeline(c.v.Pipeline)}, {"min_group", checkSmallest(c.v.Smallest)}, {"amp", checkAutocast(c.v.Autocast)},
		{"weights", checkWeights(c.v.Weights)}, {"fast_math", checkFastMath(c.v.FastMath)}, {"bf16", checkBF16(c.v.BF16)},
		{"unsupported", checkOperators(c.v.Unsupported)},
	} {
		if check.err != nil {
			return Config{}, fmt.Errorf("config: %s: %w", check.name, check.err)
		}
	}
	return c, nil
}

func checkPipeline(text string) error {
	_, err := passes.Parse(text)
	return err
}

func checkSmallest(operations int) error {
	if operations < 0 {
		return fmt.Errorf("%d operations are no size of a group", operations)
	}
	return nil
}

func checkAutocast(name string) error {
	if name == "" {
		return nil
	}
	_, err := precision.ParseType(name)
	return err
}

func checkWeights(name string) error {
	if name == "" {
		return nil
	}
	_, err := dtype.ParseFormat(name)
	return err
}

// checkOperators refuses names that no operator has, which would be ignored.
func checkOperators(names []string) error {
	for _, name := range names {
		if len(ops.Overloads(operator(name))) == 0 && ops.Lookup(name) == nil {
			return &ops.UnknownError{Name: name}
		}
	}
	return nil
}

// operator is the name of an operator without what may stand round it: "sqrt" for "aten.sqrt",
// "aten::sqrt" and "sqrt.default".
func operator(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "aten::"), "aten.")
	return strings.TrimSuffix(name, ".default")
}

// ConfigFlags are the flags of a config. Flags go before a file.
type ConfigFlags struct {
	set              *flag.FlagSet
	file, pipeline   string
	autocast         string
	weights, bf16    string
	smallest         int
	fastMath         int
	separate, strict bool
	reproducible     bool
	kernels          string
	unsupported      listFlag
}

// Flags adds the flags to a set.
func (c *ConfigFlags) Flags(f *flag.FlagSet) {
	c.set = f
	f.StringVar(&c.file, "config", "", "read how to compile from this JSON `file`")
	f.StringVar(&c.pipeline, "pipeline", "", "run these `passes` before the program is divided into groups")
	f.StringVar(&c.autocast, "amp", "", "compute products in this `type`, bf16 or f16, and what is sensitive in f32")
	f.StringVar(&c.weights, "weights", "", "pack constant weights of matrix products in this `format`, bfp16 or q4")
	f.StringVar(&c.bf16, "bf16", "", "`multiply` matrices of bf16 exact, or as bfp16, which is faster on arrays that can do both and less accurate")
	f.IntVar(&c.fastMath, "fast-math", 0, "rewrite arithmetic for speed, as far as this `level` from 0 to 4 says")
	f.BoolVar(&c.reproducible, "reproducible", false, "give the same bits on every processor, for any batch and number of threads")
	f.StringVar(&c.kernels, "kernels", "", "replace kernels by the kernels of the same names in this `file`, an edited text of the stage kernel")
	f.IntVar(&c.smallest, "min-group", 0, "groups of fewer `operations` run on the host; 0 leaves it to the device")
	f.BoolVar(&c.separate, "separate-groups", false, "leave groups apart that pass no values to each other")
	f.Var(&c.unsupported, "unsupported", "run these `operators` on the host: sqrt,aten.add.Tensor; may be repeated")
	f.BoolVar(&c.strict, "strict", false, "a group that cannot be compiled is an error, and does not run on the host; operations that the device does not take still do")
}

// Config returns the configuration that the flags and their file give. Errors are those of [ConfigFlags.Over].
func (c *ConfigFlags) Config() (Config, error) { return c.Over(Config{}) }

// Over is [ConfigFlags.Config] for a program that has a config already: the flags that are given change
// it, and a file takes its place. Errors name the flag, or the file, and the value that it does not take.
func (c *ConfigFlags) Over(base Config) (Config, error) {
	out := base
	var err error
	if c.file != "" {
		if out, err = readConfigFile(c.file); err != nil {
			return Config{}, err
		}
	}
	if c.set != nil {
		c.set.Visit(func(f *flag.Flag) {
			if err == nil {
				err = c.apply(f.Name, &out.v)
			}
		})
	}
	if err != nil {
		return Config{}, err
	}
	return out, nil
}

func readConfigFile(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer f.Close()
	c, err := ReadConfig(f)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// apply changes settings as a flag says that was given.
func (c *ConfigFlags) apply(name string, v *settings) (err error) {
	switch name {
	case "pipeline":
		v.Pipeline, err = c.pipeline, checkPipeline(c.pipeline)
	case "amp":
		v.Autocast, err = c.autocast, checkAutocast(c.autocast)
	case "weights":
		v.Weights, err = c.weights, checkWeights(c.weights)
	case "bf16":
		v.BF16, err = c.bf16, checkBF16(c.bf16)
	case "fast-math":
		v.FastMath, err = c.fastMath, checkFastMath(c.fastMath)
	case "reproducible":
		v.Fixed = c.reproducible
	case "kernels":
		var text []byte
		text, err = os.ReadFile(c.kernels)
		if v.Kernels = string(text); err == nil && strings.TrimSpace(v.Kernels) == "" {
			err = fmt.Errorf("%s is empty: text of the stage kernel is wanted", c.kernels)
		}
	case "min-group":
		v.Smallest, err = c.smallest, checkSmallest(c.smallest)
	case "separate-groups":
		v.Separate = c.separate
	case "strict":
		v.Strict = c.strict
	case "unsupported":
		v.Unsupported, err = slices.Concat(v.Unsupported, c.unsupported), checkOperators(c.unsupported)
	}
	if err != nil {
		return fmt.Errorf("-%s: %w", name, err)
	}
	return nil
}

// listFlag is a flag with names between commas, which may be given several times.
type listFlag []string

func (l *listFlag) String() string { return strings.Join(*l, ",") }

// Set implements [flag.Value].
func (l *listFlag) Set(text string) error {
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			*l = append(*l, name)
		}
	}
	return nil
}

// Configurable is a device whose way to compile can be chosen.
type Configurable interface {
	Device
	// With returns a device that compiles as the config says. It is another device: a tensor
	// moves to it with To.
	With(c Config) Device
}

// Configure returns a device that compiles as the config says: the same one for a zero config. A device that is nil or
// has no configuration is an error, unless c is zero.
func Configure(d Device, c Config) (Device, error) {
	if d == nil {
		return nil, errors.New("there is no device to configure")
	}
	if c.IsZero() {
		return d, nil
	}
	if d, ok := d.(Configurable); ok {
		return d.With(c), nil
	}
	return nil, fmt.Errorf("%s has no configuration", d.Name())
}
