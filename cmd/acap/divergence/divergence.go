package divergence

import (
	"errors"
	"math"
)

// Rows are compared: the tokens behind prompts, which many rows at once compute, and the tokens behind one token more.
type Rows struct{ Prompt, Answer []float64 }

// Step is how many tokens a prompt has more than the one before it. A sequence that has them all has whole pages of the
// cache.
const Step = 32

// EachPrompt calls f for each prompt, and for each prompt with the token behind it.
func EachPrompt(prompts [][]int, f func([]int) error) error {
	for _, tokens := range prompts {
		for n := Step; n < len(tokens); n += Step {
			if err := errors.Join(f(tokens[:n]), f(tokens[:n+1])); err != nil {
				return err
			}
		}
	}
	return nil
}

// Compare returns the divergence of each row that f computes for the prompts from the exact row.
func Compare(exact [][]float64, prompts [][]int, f func([]int) ([]float64, error)) (*Rows, error) {
	var d Rows
	count := 0
	err := EachPrompt(prompts, func(tokens []int) error {
		row, err := f(tokens)
		if err != nil {
			return err
		}
		list := &d.Prompt
		if count%2 == 1 {
			list = &d.Answer
		}
		*list = append(*list, kullbackLeibler(exact[count], row))
		count++
		return nil
	})
	return &d, err
}

// kullbackLeibler is how far probabilities are from the right ones. Both are logarithms. The terms q-p, whose sum is 0,
// are left in, so that rounding of small divergences does not cancel.
func kullbackLeibler(right, other []float64) (sum float64) {
	for i, p := range right {
		d := other[i] - p
		sum += math.Exp(p) * (math.Expm1(d) - d)
	}
	return sum
}

// Mean of some numbers, and the error of the mean that their spread tells, as a share of the mean.
func Mean(list []float64) (mean, share float64) {
	n, square := float64(len(list)), 0.0
	for _, v := range list {
		mean += v / n
	}
	for _, v := range list {
		square += (v - mean) * (v - mean)
	}
	if mean == 0 || n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(square/(n*(n-1))) / mean
}

// RatioError returns the standard error of the ratio of the means of two divergences that are given row by row, to the
// first order. A row that is far from the exact one is far for both, so the ratio has a smaller error than the means.
func RatioError(own, other []float64) float64 {
	m, _ := Mean(own)
	n, _ := Mean(other)
	count, square := float64(len(own)), 0.0
	if count < 2 || n == 0 {
		return 0
	}
	for i, v := range own {
		d := v - float64(m/n*other[i])
		square += float64(d * d)
	}
	return math.Sqrt(square/(count*(count-1))) / n
}
