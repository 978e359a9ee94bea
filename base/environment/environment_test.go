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

func TestBytes(t *testing.T) {
	const name = "ACAP_TEST_BYTES"
	for value, want := range map[string]int64{"": 7, "1": 1, "100B": 100, "12k": 12 << 10, "3M": 3 << 20, "3m": 3 << 20,
		"8G": 8 << 30, "8GiB": 8 << 30, "2T": 2 << 40, "9223372036854775807": 1<<63 - 1} {
		t.Setenv(name, value)
		n, err := Bytes(name, 7)
		require.NoError(t, err, value)
		require.Equal(t, want, n, value)
	}
	for _, value := range []string{"0", "-3", "G", "B", "1.5G", " 4", "4 G", "9007199254740992T", "4X", "4GG"} {
		t.Setenv(name, value)
		_, err := Bytes(name, 7)
		require.EqualError(t, err, name+`="`+value+`": want a size in bytes such as 512M or 8G`)
	}
}
