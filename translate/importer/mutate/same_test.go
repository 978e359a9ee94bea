package mutate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-acap/acap/translate/importer/mutate"
)

// TestSameChanges: a seed that was noted makes the same changes in every version, so that what it found is found again.
// A change of this package that means to change them gives the hashes anew.
func TestSameChanges(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a.py", "class M(Module):\n  def forward(self, x: Tensor) -> Tensor:\n    y = torch.add(x, 2, 3)\n    z = [torch.relu(y), 0.5]\n    return z[0]\n", "3de529e386284d0a"},
		{"a.txt", "x = \"a b\", 1.5e3 + %arg0\n@f(2)\n# end\n", "257556987cd7e0c8"},
		{"b.txt", "", "642b7bdd1c5c2ec5"},
		{"a.pkl", "\x80\x02}q\x00(X\x03\x00\x00\x00abcK\x05M\x10\x02J\x01\x00\x00\x00ctorch\nTensor\nh\x00\x8c\x02xyG\x00\x00\x00\x00\x00\x00\x00\x00U\x01zI12\nNu.", "f183194410fe933c"},
		{"a.bin", "some bytes of no format, of which some change", "6d92e2e38a9fff8d"},
		{"a.onnx", "../onnx/testdata/layer.onnx", "acc0ea4daca37fe5"},
		{"a.pt", "../torchscript/testdata/net.pt", "559366cfa8016e40"},
	} {
		data := []byte(c.data)
		if file, err := os.ReadFile(c.data); err == nil {
			data = file
		}
		h := sha256.New()
		for seed := range uint64(1500) {
			h.Write(mutate.File(rand.New(rand.NewPCG(seed, 1)), c.name, data))
		}
		assert.Equal(t, c.want, hex.EncodeToString(h.Sum(nil)[:8]), c.name)
	}
}
