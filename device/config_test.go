package device_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/ops"
)

// Mixed precision is a pass behind the passes of the pipeline, and is read as it is written.
func TestConfigAutocast(t *testing.T) {
	c := device.Config{}.WithPipeline("inline").WithAutocast(dtype.BF16)
	require.Equal(t, "inline,autocast-bf16,cse", c.Passes())
	require.Equal(t, dtype.BF16, c.Autocast())
	read, err := device.ReadConfig(strings.NewReader(c.String()))
	require.NoError(t, err)
	require.Equal(t, c, read)
	require.True(t, c.WithPipeline("").WithAutocast(dtype.Invalid).IsZero())
	require.Panics(t, func() { c.WithAutocast(dtype.F32) })
	_, err = device.ReadConfig(strings.NewReader(`{"amp": "f32"}`))
	require.ErrorContains(t, err, "f32")
}

// Weights are packed behind mixed precision, whose products they are part of.
func TestConfigWeights(t *testing.T) {
	c := device.Config{}.WithAutocast(dtype.BF16).WithWeights(dtype.Q4)
	require.Equal(t, "autocast-bf16,cse,weights-q4,cse", c.Passes())
	require.Equal(t, dtype.Q4, c.Weights())
	read, err := device.ReadConfig(strings.NewReader(c.String()))
	require.NoError(t, err)
	require.Equal(t, c, read)
	require.True(t, c.WithAutocast(dtype.Invalid).WithWeights(dtype.Plain).IsZero())
	_, err = device.ReadConfig(strings.NewReader(`{"weights": "q5"}`))
	require.ErrorContains(t, err, "q5")
}

// TestConfigFlags: a flag that is given goes before what a file or a config says, also where it asks for what
// would be so without one.
func TestConfigFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	file := `{"pipeline":"inference","min_group":3,"separate_groups":true,"unsupported":["relu"],"strict":true,"amp":"bf16","weights":"q4","fast_math":2}`
	require.NoError(t, os.WriteFile(path, []byte(file), 0o644))
	read := func(args ...string) (device.Config, error) {
		var c device.ConfigFlags
		f := flag.NewFlagSet("test", flag.ContinueOnError)
		c.Flags(f)
		require.NoError(t, f.Parse(args))
		return c.Over(device.Config{}.WithSmallest(7))
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, `{"min_group":7}`},
		{[]string{"-min-group", "0"}, `{}`},
		{[]string{"-config", path}, file},
		{[]string{"-config", path, "-fast-math", "0", "-strict=false", "-separate-groups=false", "-amp", "", "-weights", "", "-pipeline", "", "-min-group", "0"},
			`{"unsupported":["relu"]}`},
		{[]string{"-config", path, "-fast-math", "4", "-amp", "f16", "-unsupported", "aten::sqrt,add.Tensor"},
			`{"pipeline":"inference","min_group":3,"separate_groups":true,"unsupported":["relu","aten::sqrt","add.Tensor"],"strict":true,"amp":"f16","weights":"q4","fast_math":4}`},
	} {
		c, err := read(test.args...)
		require.NoError(t, err)
		require.Equal(t, test.want, c.String())
	}
	for want, args := range map[string][]string{
		"-fast-math: level -1 is not from 0 to 4": {"-fast-math", "-1"},
		"-min-group: -1 operations":               {"-min-group", "-1"},
		"-amp: ":                                  {"-amp", "f32"},
		"-weights: ":                              {"-weights", "q5"},
		"-unsupported: unknown operator sqrtt":    {"-unsupported", "sqrt,sqrtt"},
		"no such file":                            {"-config", path + "x"},
	} {
		_, err := read(args...)
		require.ErrorContains(t, err, want)
	}
}

// TestConfigUnsupported: names of operators are taken as any part of the project writes them, and unknown ones refused.
func TestConfigUnsupported(t *testing.T) {
	c := device.Config{}.WithUnsupported("aten::sqrt", "relu.default", "add.Tensor", "aten.mul")
	for name, want := range map[string]bool{"aten.sqrt": true, "aten.relu": true, "aten.relu6": false, "aten.add.Tensor": true,
		"aten.add.Scalar": false, "aten.mul.Scalar": true, "aten.sqrt_": false} {
		require.Equal(t, want, c.Excludes(name), name)
	}
	_, err := device.ReadConfig(strings.NewReader(`{"unsupported": ["aten.sqrrt"]}`))
	require.ErrorContains(t, err, "unknown operator")
}

// TestConfigMistakes: what is wrong with a file is said in its terms.
func TestConfigMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "config: the text is empty",
		"[1]":                     `config: it is no object such as {"strict": true}, but of kind array`,
		`{"fast_math": "2"}`:      "config: fast_math is a string, and not of type int",
		`{"unsupported": "relu"}`: "config: unsupported is a string, and not of type []string",
		`{"fastmath": 2}`:         `config: json: unknown field "fastmath"`,
		`{"pipeline": "inlin"}`:   `config: pipeline: passes: unknown pass "inlin"`,
		`{}{}`:                    "config: more than one value",
		`{"strict": true`:         "config: unexpected EOF",
	} {
		_, err := device.ReadConfig(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// What is no format of packed weights is refused, with a name that tells what it is.
func TestNoFormat(t *testing.T) {
	const none = dtype.Format(200)
	require.Equal(t, "Format(200)", none.String())
	require.Equal(t, 1, none.Block())
	defer func() {
		var refused *ops.ArgError
		err, _ := recover().(error)
		require.ErrorAs(t, err, &refused)
		require.ErrorContains(t, err, "Format(200) is no format of packed weights")
	}()
	device.Config{}.WithWeights(none)
}

// There is nothing to configure without a device.
func TestConfigureNothing(t *testing.T) {
	for _, c := range []device.Config{{}, device.Config{}.WithStrict(true)} {
		_, err := device.Configure(nil, c)
		require.EqualError(t, err, "there is no device to configure")
	}
}
