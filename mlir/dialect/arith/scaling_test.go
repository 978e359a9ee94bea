package arith_test

import (
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// Conversions with a scale are read in both forms, and refused where they go the wrong way.
func TestScaling(t *testing.T) {
	const text = `func.func @f(%a: f4E2M1FN, %s: f8E8M0FNU, %v: vector<4xf32>, %w: vector<4xf8E8M0FNU>) -> (f32, vector<4xf8E4M3FN>) {
  %0 = arith.scaling_extf %a, %s : f4E2M1FN, f8E8M0FNU to f32
  %1 = arith.scaling_truncf %v, %w : vector<4xf32>, vector<4xf8E8M0FNU> to vector<4xf8E4M3FN>
  return %0, %1 : f32, vector<4xf8E4M3FN>
}`
	check := func(text string) error {
		m, err := mlir.Parse("x.mlir", []byte(text))
		if err == nil {
			err = mlir.Verify(m)
		}
		if err == nil {
			_, err = mlir.Parse("again.mlir", []byte(m.Text(mlir.PrintOptions{Generic: true})))
		}
		return err
	}
	if err := check(text); err != nil {
		t.Fatal(err)
	}
	for from, reason := range map[string]string{
		"extf %a, %s : f4E2M1FN, f8E8M0FNU to f32": "the wrong way",
		"truncf %v, %w : vector<4xf32>":            "the wrong way",
	} {
		other := strings.NewReplacer("extf", "truncf", "truncf", "extf").Replace(from)
		if err := check(strings.Replace(text, from, other, 1)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", other, err)
		}
	}
	for from, to := range map[string]string{"f4E2M1FN": "f32", "vector<4xf8E4M3FN>": "vector<4xf32>"} { // as wide before and after
		if err := check(strings.ReplaceAll(text, from, to)); err == nil || !strings.Contains(err.Error(), "the wrong way") {
			t.Errorf("%s for %s: %v", to, from, err)
		}
	}
	if err := check(strings.ReplaceAll(text, "vector<4xf8E8M0FNU>", "vector<2xf8E8M0FNU>")); err == nil || !strings.Contains(err.Error(), "differ") {
		t.Error(err)
	}
}
