package commandline

import (
	"flag"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm"
)

// Language is the flags of commands that run a language model.
type Language struct {
	Device
	Options llm.LoadOptions
	Cache   string // of -cache-type
}

// Flags adds the flags to a set.
func (o *Language) Flags(f *flag.FlagSet) {
	o.Device.Flags(f)
	f.IntVar(&o.Options.Context, "context", 0, "most `tokens` of a sequence; 0 for 4096, or fewer if the model was made for fewer")
	f.BoolVar(&o.Options.Exact, "exact", false, "multiply by packed weights in f32, and round nothing to 8 bits")
	CacheFlag(f, &o.Cache)
	f.Func("lora", "a `file` or folder of a LoRA adapter; repeat for more", func(path string) error {
		o.adapt(path, 1)
		return nil
	})
	f.Func("lora-scaled", "LoRA `adapters` with what the product of each is multiplied by: a.gguf:0.5,b.gguf:2; repeat for more", o.adaptScaled)
}

// DraftFlags adds the flags of a draft, for commands that generate: probabilities alone have no draft.
func (o *Language) DraftFlags(f *flag.FlagSet) {
	f.StringVar(&o.Options.Draft, "draft", "", "a smaller `model` with the same vocabulary, which guesses tokens")
	f.IntVar(&o.Options.DraftTokens, "draft-tokens", 4, "`tokens` that the draft guesses at once")
}

// adapt adds an adapter.
func (o *Language) adapt(path string, scale float64) {
	o.Options.Adapters, o.Options.AdapterScales = append(o.Options.Adapters, path), append(o.Options.AdapterScales, scale)
}

// adaptScaled adds adapters as llama.cpp writes them with their scales.
func (o *Language) adaptScaled(value string) error {
	for part := range strings.SplitSeq(value, ",") {
		at := strings.LastIndexByte(part, ':')
		scale, err := strconv.ParseFloat(part[at+1:], 64)
		if at <= 0 || err != nil {
			return fmt.Errorf("%q is no adapter with its scale, such as adapter.gguf:0.5", part)
		}
		o.adapt(part[:at], scale)
	}
	return nil
}

// Load reads the model in a file or folder.
func (o *Language) Load(path string) (*llm.Model, error) {
	switch {
	case o.Options.Context < 0:
		return nil, Errorf("-context is %d, want at least 1, or 0 for as many as usual", o.Options.Context)
	case o.IsGiven("draft-tokens") && o.Options.Draft == "":
		return nil, Errorf("-draft-tokens is for -draft, which is not given")
	case o.Options.Draft != "" && o.Options.DraftTokens < 1:
		return nil, Errorf("-draft-tokens is %d, want at least 1", o.Options.DraftTokens)
	}
	dev, err := o.Open()
	if err != nil {
		return nil, err
	}
	o.Options.Device = dev
	if o.Options.CacheType, o.Options.CacheFormat, err = CacheType(o.Cache); err != nil {
		return nil, err
	}
	m, err := llm.Load(path, o.Options)
	if before := debug.SetGCPercent(garbage); before != usualGarbage { // GOGC says something else
		debug.SetGCPercent(before)
	}
	return m, err
}

// garbage is how much garbage the process of a language model may have, in per cent of the memory in use, and
// usualGarbage is how much a program of Go has unless GOGC says otherwise. Most memory in use is keys, values and
// activations, in which the collector looks for nothing. As much garbage again would be a large part of what a small
// model takes.
const garbage, usualGarbage = 25, 100

// CacheFlag adds the flag -cache-type, whose value [CacheType] reads.
func CacheFlag(f *flag.FlagSet, name *string) {
	f.StringVar(name, "cache-type", "", "keep keys and values in this `type`: f32, f16, bf16 or q8_0; without it f16, and f32 with -exact")
}

// CacheType is the type or the format of blocks that -cache-type names; without a name the zero values, for which
// [llm.Load] chooses.
func CacheType(name string) (dtype.DType, dtype.Format, error) {
	switch name {
	case "":
		return dtype.Invalid, dtype.Plain, nil
	case dtype.Q8_0.String():
		return dtype.Invalid, dtype.Q8_0, nil
	}
	for _, d := range []dtype.DType{dtype.F32, dtype.F16, dtype.BF16} {
		if name == d.String() {
			return d, dtype.Plain, nil
		}
	}
	return dtype.Invalid, dtype.Plain, Errorf("-cache-type is %q, want f32, f16, bf16 or q8_0", name)
}
