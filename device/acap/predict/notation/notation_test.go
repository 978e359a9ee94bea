package notation_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/predict/notation"
)

func ExamplePlain() {
	fmt.Println(notation.Plain("L1  Tile 64 × 64 × 8 → bf16"))
	// Output: l1 tile 64x64x8->bf16
}

func ExampleNumbers() {
	fmt.Println(notation.Numbers(notation.Match(`herd (\d+)x(\d+)`), "on a herd 8x4"))
	// Output: [8 4]
}

// TestValue reads numbers and ranges, and refuses what is no positive number.
func TestValue(t *testing.T) {
	for text, want := range map[string]float64{"2": 2, " ~ 1.5e-3": 1.5e-3, "2–4": 3, "4 - 2": 3, "1~1": 1} {
		got, err := notation.Value(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "0", "-1", "1..2", "1e18", "0-4", "fast", "1 2"} {
		_, err := notation.Value(text)
		require.ErrorContains(t, err, "a positive number", text)
	}
}

// TestReadRows reads columns in any order, and errors name the line and the column.
func TestReadRows(t *testing.T) {
	table := &notation.Table{Columns: []string{"name", "value", "notes"}, Optional: []string{"notes"}}
	read := func(text string) ([]string, error) {
		return notation.ReadRows(table, strings.NewReader(text), func(line int, fields []string) (string, int, error) {
			if fields[1] == "bad" {
				return "", 1, errors.New("something good")
			}
			return fmt.Sprintf("%d %q", line, fields), 0, nil
		})
	}
	rows, err := read("# a comment\nVALUE,name\n1,x\n\"2,\",y\n")
	require.NoError(t, err)
	require.Equal(t, []string{`3 ["x" "1" ""]`, `4 ["y" "2," ""]`}, rows)
	for text, want := range map[string]string{
		"":                    "1:1: the file is empty",
		"name,value\n":        "1:1: the file names columns and has no row",
		"name\nx\n":           "1:1: the first line names no column value",
		"name,value,name\n":   "1:12: column name is there twice",
		"name,value,size\n":   `1:12: there is no column "size"`,
		"name;value\n":        "1:1: columns are separated by commas",
		"name,value\nx\n":     "2:1: 1 fields, want 2",
		"value,name\nbad,x\n": `2:1: value is "bad", want something good`,
		"name,value\n\"x,1\n": "2:",
		"name,value\nx," + strings.Repeat("1", 3000): "2:3: value has 3000 bytes",
	} {
		_, err := read(text)
		require.ErrorContains(t, err, want, "%.40s", text)
	}
}
