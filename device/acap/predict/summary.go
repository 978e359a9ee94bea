package predict

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/go-acap/acap/base/median"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/predict/published"
)

// Summary is the error of a set of rows.
type Summary struct {
	By     string  `json:"by"` // "source", "device", "workload", "dtype", "group", "fit" or "all"
	Name   string  `json:"name"`
	Rows   int     `json:"rows"`
	Median float64 `json:"median"` // of the absolute relative error
	Mean   float64 `json:"mean"`
	Worst  float64 `json:"worst"`
	// Covered is the share of the rows with an interval that are in it.
	Covered float64 `json:"covered,omitempty"`
	// Constants is how many constants of a device were fitted to rows like these.
	Constants int `json:"fitted_constants,omitempty"`
}

// Summarize returns the errors of all predicted rows, and of those that share a
// source, a device, a workload, a type, or machine and workload family; "fit" tells rows that
// the presets were fitted to from those that the fit leaves out ([Row.LeftOut]).
func Summarize(predictions []Prediction) []Summary {
	errors := make(map[[2]string][]float64)
	known, covered := make(map[[2]string]int), make(map[[2]string]int) // rows with an interval, and in it
	for i := range predictions {
		p := &predictions[i]
		if p.Skipped != "" {
			continue
		}
		e := math.Abs(p.Error)
		for _, key := range [][2]string{
			{"all", "all rows"},
			{"fit", map[bool]string{false: "kept by the fit", true: "left out of the fit"}[p.Row.LeftOut()]},
			{"source", p.Row.Source},
			{"device", p.Machine},
			{"workload", p.Machine + " " + p.Row.Workload},
			{"dtype", p.Machine + " " + p.Row.DType},
			{"group", p.Group()},
		} {
			errors[key] = append(errors[key], e)
			if p.High > 0 {
				known[key]++
				if p.Low <= p.Row.Value && p.Row.Value <= p.High {
					covered[key]++
				}
			}
		}
	}
	var out []Summary
	for key, e := range errors {
		s := NewSummary(key[0], key[1], e)
		if known[key] > 0 {
			s.Covered = float64(covered[key]) / float64(known[key])
		}
		if s.By == "device" {
			s.Constants = fittedConstants(s.Name)
		}
		out = append(out, s)
	}
	order := map[string]int{"all": 0, "fit": 1, "device": 2, "group": 3, "dtype": 4, "workload": 5,
		"source": 6}
	sort.Slice(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		if a.By != b.By {
			return order[a.By] < order[b.By]
		}
		return a.Name < b.Name
	})
	return out
}

// Group is the machine and the family of kernels of a row.
func (p *Prediction) Group() string {
	kind := family(notation.Plain(p.Row.Workload))
	if kind == "" { // a systolic array is given any layer as a product
		kind = "gemm"
	}
	return p.Machine + " " + kind
}

// fittedConstants counts the constants of a preset whose evidence is measurements. Those of
// several kernels that stand for one number count once.
func fittedConstants(name string) int {
	m, err := machine.Preset(name)
	if err != nil {
		return 0
	}
	seen := make(map[machine.Constant]bool)
	m.Constants(func(_ string, c *machine.Constant) {
		if c.Evidence == machine.Fitted && c.Value != 0 {
			seen[*c] = true
		}
	})
	return len(seen)
}

// NewSummary returns the summary of the absolute relative errors of some rows, one at least.
func NewSummary(by, name string, e []float64) Summary {
	var sum float64
	for _, v := range e {
		sum += v
	}
	return Summary{By: by, Name: name, Rows: len(e),
		Median: median.Of(e), Mean: sum / float64(len(e)), Worst: slices.Max(e)}
}

// kernelNames are other names of kernels.
var kernelNames = map[string]string{
	"matmul": "gemm", "mm": "gemm", "matvec": "gemv", "attention": "flash_attention", "sdpa": "flash_attention",
	"add": "eltwise_add", "mul": "eltwise_mul", "gelu_tanh": "gelu", "silu*mul": "silu_mul", "swish": "silu",
	"layer_norm": "layernorm", "rms_norm": "rmsnorm", "conv": "conv2d", "convolution": "conv2d",
}

// kernelName is the name of the kernel of a workload.
func kernelName(workload string) string {
	name := strings.Fields(workload + " ?")[0]
	return cmp.Or(kernelNames[name], name)
}

// family is the kind of kernel of a workload, "" for one that is not known.
func family(workload string) string {
	name := kernelName(workload)
	if published.IsPointwise(name) {
		return "pointwise"
	}
	switch name {
	case "rmsnorm", "layernorm":
		return "norms"
	case "flash_attention":
		return "attention"
	case "conv2d":
		return "convolution"
	case "gemm", "gemv", "rope", "softmax":
		return name
	}
	return ""
}
