package tensor_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
)

// TestScaledErfc compares exp(x²)·erfc(x) with PyTorch 2.14 on both devices, far out and at the ends too.
func TestScaledErfc(t *testing.T) {
	at := []float64{-26.5, -5.3, -1.25, -0.1, 0, 0.1, 1.25, 5.3, 26.5, 1e4, 1e300, math.Inf(1), -27, -1e6, -1e30, math.Inf(-1)}
	want := []float64{1.924553162418569e+305, 3164914574749.3457, 9.173643447482844, 1.123643354199209, 1, 0.8964569799691268,
		0.3678229164523611, 0.10464919566077328, 0.02127504668537111, 5.641895807268084e-05, 5.641895835477563e-301, 0,
		math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
	for _, d := range []device.Device{host.Device(), acap.Device()} {
		double := tensor.FromSlice(at, len(at)).To(d).SpecialErfcx()
		for i, got := range tensor.Data[float64](double) {
			if want[i] == 0 || math.IsInf(want[i], 0) {
				require.Equal(t, want[i], got, at[i])
			} else {
				require.InEpsilon(t, want[i], got, 2e-13, at[i])
			}
		}
		single := tensor.FromSlice([]float32{-5.3, -1.25, 0.1, 1.25, 26.5, 1e4}, 6).To(d).SpecialErfcx()
		for i, w := range []float64{3164921135104.0, 9.173643112182617, 0.8964568972587585, 0.36782291531562805, 0.021275045350193977, 5.6418961321469396e-05} {
			require.InEpsilon(t, w, float64(tensor.Data[float32](single)[i]), 1e-6)
		}
		for x := float32(-9.5); x > -1e12; x *= 1.7 { // exp(x²) is no number of f32
			require.Equal(t, float32(math.Inf(1)), tensor.Data[float32](tensor.FromSlice([]float32{x}, 1).To(d).SpecialErfcx())[0], x)
		}
		require.True(t, math.IsNaN(tensor.FromSlice([]float64{math.NaN()}, 1).To(d).SpecialErfcx().Item()))
	}
}
