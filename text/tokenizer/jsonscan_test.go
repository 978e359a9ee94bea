package tokenizer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScan: what scan reads is what package json reads, and a text of another form is left to package json.
func TestScan(t *testing.T) {
	for text, read := range map[string]bool{
		`{}`: true, `{ "a" : 0 , "b":1}`: true, "{\n\t\"a\": 12\r\n}": true, `{"\"\\\u00e9\ud83d\ude00": 999999999}`: true,
		`{"é😀": 5, "": 6, "a": 1, "a": 2}`: true,
		`{"a": null}`:                      false, `{"a": 1.0}`: false, `{"a": -1}`: false, `{"a": 1e2}`: false, `{"a": 1234567890}`: false, `{"a": "1"}`: false, `[]`: false,
	} {
		ids, ok := numbered([]byte(text))
		require.Equal(t, read, ok, text)
		want := map[string]int32{}
		if err := json.Unmarshal([]byte(text), &want); ok {
			require.NoError(t, err, text)
			require.Equal(t, want, ids, text)
		}
	}
	for text, read := range map[string]bool{
		`[]`: true, `[["a","b"], [ "\\", "é" ] ]`: true, `[["a"], []]`: true, `["a b", "#version: 0.2", "c  d", "\u00e9 x"]`: true,
		`[["a", "b"], "c d"]`: false, `[null]`: false, `[["a", 1]]`: false, `{}`: false, `"a b"`: false,
	} {
		pairs, ok := scannedPairs([]byte(text))
		require.Equal(t, read, ok, text)
		var want [][]string
		if json.Unmarshal([]byte(text), &want) != nil {
			var lines []string
			want = nil
			if err := json.Unmarshal([]byte(text), &lines); ok {
				require.NoError(t, err, text)
			}
			for _, l := range lines {
				if !strings.HasPrefix(l, "#version") {
					want = append(want, strings.Split(l, " "))
				}
			}
		}
		if ok {
			require.Equal(t, len(want), len(pairs), text)
			for i := range want {
				require.Equal(t, strings.Join(want[i], "|"), strings.Join(pairs[i], "|"), text)
			}
		}
	}
	for text, read := range map[string]bool{
		`[["a", -1.5], ["b", 0], ["c", 1e-3], ["d", -0.0]]`: true,
		`[["a", null]]`: false, `[["a"]]`: false, `[["a", 1, 2]]`: false, `[["a", "1"]]`: false, `[["a", 1e400]]`: false,
	} {
		list, ok := scannedScores([]byte(text))
		require.Equal(t, read, ok, text)
		var want []scoredText
		if err := json.Unmarshal([]byte(text), &want); ok {
			require.NoError(t, err, text)
			require.Equal(t, want, list, text)
		}
	}
}

// TestScoreOf: digits beyond 64 bits count as tens in front of the point, and for nothing behind it.
func TestScoreOf(t *testing.T) {
	for text, want := range map[string]float64{
		"123456789012345678901234567890.5": 123456789012345678901234567890.5, "0.12345678901234567890123": 0.12345678901234567890123, "-15e-1": -1.5,
	} {
		require.InEpsilon(t, want, scoreOf(text, want), 1e-15, text)
	}
}
