package sweep

import (
	"flag"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
)

// Flags are the flags of a sweep: what it varies, and what it shows.
type Flags struct {
	Machines string
	Set      []string
	Inputs   []string
	Plot     string
	Cost     string
	JSON     bool
	Setting  machine.Setting // of all machines
}

// Register adds the flags to a set.
func (o *Flags) Register(f *flag.FlagSet) {
	f.StringVar(&o.Machines, "machine", "npu1", "the `arrays`, presets or JSON files, separated by commas")
	f.Func("set", "vary a field, `name=values`: cols=1:8, l1=32k,64k, ddr.read=8e9:64e9:8e9; "+
		"names are "+strings.Join(shortNames(), ", ")+" or a path in what acap machines -json prints; repeat for more",
		appendTo(&o.Set))
	f.Func("input", "an input `file`, .npy, .safetensors, .png or .jpg; repeat for more (default: input_N.npy beside the model)",
		appendTo(&o.Inputs))
	f.StringVar(&o.Plot, "plot", "", "draw time against cost with the Pareto front in this `file`, .svg or .png")
	f.StringVar(&o.Cost, "cost", "cores", "the `cost` of -plot and of the Pareto front: cores, memory, bandwidth or joules")
	o.Setting.Register(f)
	f.BoolVar(&o.JSON, "json", false, "print JSON")
}

func appendTo(list *[]string) func(string) error {
	return func(v string) error {
		*list = append(*list, v)
		return nil
	}
}

// Grid returns the machines that the flags ask for. Errors are those of [NewGridIn], and a cost that there is not.
func (o *Flags) Grid() (*Grid, error) {
	if _, _, err := Cost(o.Cost); err != nil {
		return nil, err
	}
	return NewGridIn(o.Setting, strings.Split(o.Machines, ","), o.Set)
}
