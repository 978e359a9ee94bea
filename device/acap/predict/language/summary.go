package language

import (
	"math"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
)

// Summarize returns the errors of rows, by what they measured.
func Summarize(predictions []Prediction) []predict.Summary {
	names := []string{"programs and device times", "wall and token", "watts of the array"}
	var errors [3][]float64
	var covered [3]int
	for i := range predictions {
		p := &predictions[i]
		if p.Skipped != "" {
			continue
		}
		k := 0
		switch p.Row.What {
		case "wall", "token":
			k = 1
		case "watts":
			k = 2
		}
		errors[k] = append(errors[k], math.Abs(p.Error))
		if p.Low <= p.Row.MS && p.Row.MS <= p.High {
			covered[k]++
		}
	}
	var out []predict.Summary
	for k, e := range errors {
		if len(e) > 0 {
			s := predict.NewSummary("group", names[k], e)
			s.Covered = float64(covered[k]) / float64(len(e))
			out = append(out, s)
		}
	}
	return out
}

// Constants counts the constants of npu2 that were fitted to whole language models.
func Constants() int {
	m, err := machine.Preset("npu2")
	if err != nil {
		return 0
	}
	n := 0
	m.Constants(func(_ string, c *machine.Constant) {
		if c.Evidence == machine.Fitted && c.Source == machine.ModelSource {
			n++
		}
	})
	return n
}
