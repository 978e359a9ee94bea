package tensor_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
)

// TestSingular: what no inverse or factor exists for is an error that names no operator twice,
// on every device, except where PyTorch hands the number of the pivot back instead.
func TestSingular(t *testing.T) {
	matrix := tensor.Of([][]float32{{-1, 0, 0}, {0, 0, 0}, {0, 0, 0}})
	for _, d := range []device.Device{host.Device(), acap.Device()} {
		x := matrix.To(d)
		for _, c := range []struct {
			op    string
			args  []any
			fails bool
		}{
			{"cholesky", []any{x}, true},
			{"linalg_cholesky", []any{x}, true},
			{"linalg_cholesky_ex", []any{x}, false},
			{"linalg_cholesky_ex", []any{x, false, true}, true},
			{"inverse", []any{x}, true},
			{"linalg_inv", []any{x}, true},
			{"linalg_inv_ex", []any{x}, false},
			{"linalg_inv_ex", []any{x, true}, true},
			{"linalg_matrix_power", []any{x, -2}, true},
			{"linalg_matrix_power", []any{x, 2}, false},
			{"linalg_lu", []any{x}, false},
			{"linalg_lu_factor_ex", []any{x}, false},
			{"linalg_lu_factor_ex", []any{x, true, true}, true},
			{"linalg_ldl_factor_ex", []any{x, false, true}, true},
			{"linalg_solve", []any{x, x}, true},
			{"_linalg_solve_ex", []any{x, x}, false},
			{"special_legendre_polynomial_p.n_scalar", []any{x, 1 << 30}, true},
			{"special_laguerre_polynomial_l.n_scalar", []any{tensor.Of([]float32{0.5}).To(d), 1 << 30}, true},
			{"special_legendre_polynomial_p.n_scalar", []any{x, 1 << 20}, false},
			{"special_hermite_polynomial_h.n_scalar", []any{tensor.Of([]float32{5}).To(d), 1 << 30}, false},
		} {
			var err error
			tried := tensor.Try(func() {
				for _, r := range tensor.Call(c.op, c.args...) {
					if _, err = r.Buffer(context.Background()); err != nil {
						break
					}
				}
			})
			if tried != nil {
				err = tried
			}
			require.Equal(t, c.fails, err != nil, "%s on %s: %v", c.op, d.Name(), err)
			if c.fails {
				require.LessOrEqual(t, strings.Count(err.Error(), c.op+": "), 1, err.Error())
			}
		}
	}
}
