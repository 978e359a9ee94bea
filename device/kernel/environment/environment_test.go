package environment

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInt(t *testing.T) {
	const name = "ACAP_TEST_INT"
	for value, want := range map[string]int{"": 7, "1": 1, "12": 12, "20": 20} {
		t.Setenv(name, value)
		n, err := Int(name, "a number", 1, 20, 7)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	for _, value := range []string{"0", "-3", "21", "abc", "1.5", " 4", "99999999999999999999"} {
		t.Setenv(name, value)
		_, err := Int(name, "a number", 1, 20, 7)
		var bad *Error
		require.ErrorAs(t, err, &bad)
		require.Equal(t, Error{name, value, "a number from 1 to 20"}, *bad)
	}
	require.EqualError(t, &Error{"ACAP_X", "abc", "a number"}, `ACAP_X="abc": want a number`)
}
