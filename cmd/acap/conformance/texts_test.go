package conformance_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/cmd/acap/conformance"
	"github.com/go-acap/acap/device/host"
)

// TestTexts writes models, and the samples of a third of the operators, in other dialects. What torch's dialect says
// reads back as the same program; nine of ten programs in StableHLO give the same bits.
func TestTexts(t *testing.T) {
	suite, err := conformance.Open("texts", []string{conformance.Samples, "../testdata"}, "")
	require.NoError(t, err)
	same, different, refused := 0, 0, 0
	for i, test := range suite.Tests() {
		if strings.Contains(test, "/") && !strings.Contains(test, "model") && i%3 > 0 {
			continue
		}
		rows, err := suite.Run(host.Device(), test)
		require.NoError(t, err, test)
		for _, row := range rows {
			o := row.(conformance.Outcome)
			switch {
			case o.Outcome == "unsupported":
				require.NotContains(t, o.Name, " torch")
				refused++
			case o.Outcome == "passed" && o.Reason == "":
				same++
			default:
				require.Equal(t, "passed", o.Outcome, "%s: %s", o.Name, o.Reason)
				different++
			}
		}
	}
	t.Logf("%d with the same bits, %d with other last bits, %d that StableHLO cannot say", same, different, refused)
	require.Greater(t, same, 9*different)
	require.Greater(t, same, 4*refused)
}
