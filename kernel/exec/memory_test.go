package exec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/environment"
)

func TestSetting(t *testing.T) {
	for text, want := range map[string]bool{"": emulated(), "shared": false, "fresh": true} {
		fresh, err := readSetting(text)
		require.NoError(t, err)
		require.Equal(t, want, fresh, text)
	}
	_, err := readSetting("alone")
	require.EqualError(t, err, `ACAP_CODE="alone": want shared or fresh`)
	require.True(t, environment.IsError(err))
}
