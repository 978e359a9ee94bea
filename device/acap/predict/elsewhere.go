package predict

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/predict/spread"
)

// elsewhere is the spread of rows of sources to which no constant was fitted, by [Prediction.Kind]. acap predict
// -intervals prints these figures from testdata/unseen.csv.
var elsewhere = map[string]spread.Spread{
	"attention":                      {Below: 2.94, Above: 8.85},
	"compilers of whole programs":    {Below: 2.94, Above: 8.85},
	"elements and rows":              {Below: 2.94, Above: 8.85},
	"kernels that wait for the host": {Below: 2.42, Above: 5.52},
	"products":                       {Below: 4.13, Above: 3.55},
	"products of known makers":       {Below: 2.94, Above: 8.85},
	"products of mlir-aie":           {Below: 1.42, Above: 13.17},
	"vectors":                        {Below: 1.42, Above: 3.55},
}

// Kind is the kind of a row of a source to which no constant was fitted. Kinds differ in how far measurements are from
// predictions: by who made the kernels, by whether the host bounds the time, and by the family of kernels.
func (p *Prediction) Kind() string {
	said := notation.Plain(p.Row.Workload + " " + p.Row.Notes)
	kind := family(notation.Plain(p.Row.Workload))
	product := kind == "gemm" || kind == ""
	switch {
	case kind == "convolution":
		return "convolutions"
	case wholePrograms.MatchString(said) && !p.made:
		return "compilers of whole programs"
	case product && p.made:
		return "products of known makers"
	case p.Bound == "host":
		return "kernels that wait for the host"
	case kind == "gemv":
		return "vectors"
	case kind == "attention":
		return "attention"
	case product && mlirAIE.MatchString(said):
		return "products of mlir-aie"
	case product:
		return "products"
	}
	return "elements and rows"
}

// Score returns the scores of rows by kind and maker, at first sight: a row with [Row.First] has the score and the kind
// of the prediction that was made before the model knew the maker. Rows without an interval, and rows of sources to
// which constants were fitted, are left out.
func Score(predictions []Prediction) spread.Kinds {
	k := make(spread.Kinds)
	for i := range predictions {
		p := predictions[i]
		if !p.scored() {
			continue
		}
		if p.Row.First > 0 {
			p.Predicted, p.made = p.Row.First, false
		}
		k.Add(p.Kind(), p.Row.Maker(), p.Times())
	}
	return k
}

// scored reports whether a row has an interval and a source that no constant was fitted to.
func (p *Prediction) scored() bool {
	source := notation.Plain(p.Row.Source)
	return p.Skipped == "" && p.High > 0 && !slices.ContainsFunc(fittedTo, func(name string) bool { return strings.HasPrefix(source, name) })
}
