package llm

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/schedule"
)

// TestFamiliesInGGUF compares small GGUF files, as gguf-py writes them, with what llama.cpp computes for them;
// testdata/recordgguf.py records.
func TestFamiliesInGGUF(t *testing.T) {
	for name, r := range recordedFiles(t) {
		t.Run(name, func(t *testing.T) {
			path := r.write(t)
			how := LoadOptions{CacheType: dtype.F32}
			if r.Adapter != nil {
				how.Adapters = []string{r.Adapter.write(t)}
			}
			m, err := Load(path, how)
			require.NoError(t, err)
			defer m.Close()
			bound := 2e-5
			if strings.HasPrefix(m.Activation, "gelu") && name != "modern-bert" {
				bound = 1e-3 // llama.cpp looks up this function in a table of f16 numbers by f16 numbers, 5e-4 each
			}
			if m.Encoder {
				rows, err := m.rowsOf(r.Tokens)
				require.NoError(t, err)
				if m.Pooling == "mean" {
					vector, err := m.EmbedTokens(r.Tokens)
					require.NoError(t, err)
					within(t, bound, r.Values[0], vector, 0)
					return
				}
				for i, row := range r.Rows {
					within(t, bound, r.Values[i], rows[row*m.Width:(row+1)*m.Width], row)
				}
				return
			}
			e := &engine{m: m, Batch: schedule.New(cache.PageTokens, 1, m.network.Spans...)}
			s := &cache.Sequence{Tokens: r.Tokens, Limit: len(r.Tokens)}
			require.True(t, s.Room(e.Pools, len(r.Tokens)))
			scores, err := e.compute(m.network, &e.memory, []schedule.Piece{{Sequence: s, From: 0, Count: len(r.Tokens)}}, true)
			require.NoError(t, err)
			for i, row := range r.Rows {
				within(t, bound, r.Values[i], logProbabilities(scores.Scores[row*m.Vocabulary:(row+1)*m.Vocabulary]), row)
			}
		})
	}
}

// RecordedPath writes a recorded file and returns its path.
func RecordedPath(t *testing.T, name string) string {
	r, ok := recordedFiles(t)[name]
	require.True(t, ok, name)
	return r.write(t)
}

// RecordedAdapter writes the adapter of a recorded file and returns its path.
func RecordedAdapter(t *testing.T, name string) string {
	r, ok := recordedFiles(t)[name]
	require.True(t, ok && r.Adapter != nil, name)
	return r.Adapter.write(t)
}

// recordedModel is a model with what llama.cpp computes for tokens.
type recordedModel struct {
	recordedFile
	Adapter *recordedFile
	Tokens  []int
	Rows    []int
	Values  [][]float32 // logarithms of probabilities
}

func recordedFiles(t *testing.T) (list map[string]recordedModel) {
	data, err := os.ReadFile("testdata/gguf.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

// recordedFile is a GGUF file: what is in front of the weights, and the weights, which follow from a formula.
type recordedFile struct {
	Header  []byte
	Tensors []namedShape
	Half    bool // weights are f16
}

// write makes the file and returns its path.
func (r *recordedFile) write(t *testing.T) string {
	file := r.Header
	for _, w := range r.Tensors {
		for _, v := range formula(w.name, w.shape) {
			if r.Half {
				file = binary.LittleEndian.AppendUint16(file, uint16(dtype.ToFloat16(v)))
			} else {
				file = binary.LittleEndian.AppendUint32(file, math.Float32bits(v))
			}
		}
		file = append(file, make([]byte, -len(file)&31)...)
	}
	path := filepath.Join(t.TempDir(), "model.gguf")
	require.NoError(t, os.WriteFile(path, file, 0o644))
	return path
}

// namedShape is a name and a shape, as a list of two.
type namedShape struct {
	name  string
	shape []int
}

func (n *namedShape) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&n.name, &n.shape})
}

// logProbabilities of scores.
func logProbabilities(scores []float32) []float32 {
	sum := 0.0
	for _, v := range scores {
		sum += math.Exp(float64(v))
	}
	out := make([]float32, len(scores))
	for i, v := range scores {
		out[i] = v - float32(math.Log(sum))
	}
	return out
}
