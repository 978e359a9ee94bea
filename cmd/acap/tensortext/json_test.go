package tensortext_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/cmd/acap/tensortext"
)

// TestJSON: what JSON has no numbers for is text, and integers keep all their digits.
func TestJSON(t *testing.T) {
	floats := buf.New(dtype.F32, []int{4})
	for i, v := range []float64{1.5, math.NaN(), math.Inf(1), math.Inf(-1)} {
		floats.SetFloat64(i, v)
	}
	large := buf.New(dtype.I64, nil)
	large.SetInt64(0, 1<<53+1)
	parts := buf.New(dtype.C64, []int{1})
	parts.SetComplex(0, 1-2i)
	for want, b := range map[string]*buf.Buffer{
		`{"dtype":"f32","shape":[4],"values":[1.5,"NaN","Infinity","-Infinity"]}`: floats,
		`{"dtype":"i64","shape":[],"values":[9007199254740993]}`:                  large,
		`{"dtype":"c64","shape":[1],"values":[[1,-2]]}`:                           parts,
	} {
		text, err := json.Marshal(tensortext.New(b))
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
}
