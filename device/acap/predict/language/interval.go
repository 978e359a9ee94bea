package language

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/spread"
)

// heldOut has, by [Row.Group], the relative error that 9 of 10 rows do not exceed when the constants are fitted to the
// rows of other models. It is the largest of the figures that the program in directory fit prints.
var heldOut = map[string]float64{
	"language models, array": 0.2,
	"language models, wall":  0.28,
}

// watts is the spread of rows of watts, by [Prediction.Kind]. acap predict -intervals prints these figures from
// llm/account/testdata/watts.csv.
var watts = map[string]spread.Spread{
	"watts of tokens":  {Below: 1.25, Above: 1.71},
	"watts of prompts": {Below: 3.62, Above: 1.71},
}

// Kind returns the kind of a row of watts: the array's watts while it reads prompts, or while it decodes tokens.
func (p *Prediction) Kind() string {
	if p.Row.Phase == "prefill" {
		return "watts of prompts"
	}
	return "watts of tokens"
}

// ScoreWatts returns the scores of rows of watts.
func ScoreWatts(predictions []Prediction) spread.Kinds {
	k := make(spread.Kinds)
	for i := range predictions {
		p := &predictions[i]
		if p.Skipped != "" || p.Row.What != "watts" {
			continue
		}
		k.Add(p.Kind(), p.Row.Source, p.Row.MS/p.Predicted)
	}
	return k
}

// compare fills in how a prediction compares with what was measured, and what may differ where that is far off.
func (p *Prediction) compare(differs string) {
	p.Error = p.Predicted/p.Row.MS - 1
	if p.Row.What == "watts" {
		p.Low, p.High = watts[p.Kind()].Around(p.Predicted, false)
	} else {
		p.Low, p.High = spread.Within(p.Predicted, heldOut[p.Row.Group()])
	}
	if math.Abs(p.Error) > predict.FarOff {
		much := "long"
		if p.Row.What == "watts" {
			much = "much"
		}
		p.Remarks = append(p.Remarks, fmt.Sprintf("measured %.1f times as %s as predicted: %s may differ", 1/(1+p.Error), much, differs))
	}
}
