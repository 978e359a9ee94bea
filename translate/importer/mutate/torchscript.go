package mutate

import (
	"archive/zip"
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
)

// TorchScript changes the code or a pickle of a .pt file, now and then the names of its members.
func TorchScript(r *rand.Rand, data []byte) []byte {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Bytes(r, data)
	}
	var chosen []int
	for i, f := range z.File {
		if strings.HasSuffix(f.Name, ".py") || strings.HasSuffix(f.Name, ".pkl") {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) == 0 {
		return Bytes(r, data)
	}
	change := chosen[r.IntN(len(chosen))]
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i, f := range z.File {
		member, err := f.Open()
		if err != nil {
			return Bytes(r, data)
		}
		body, err := io.ReadAll(member)
		member.Close()
		if err != nil {
			return Bytes(r, data)
		}
		switch {
		case i != change:
		case strings.HasSuffix(f.Name, ".py"):
			body = Code(r, body)
		default:
			body = Pickle(r, body)
		}
		name := f.Name
		if r.IntN(20_000) == 0 {
			name = z.File[r.IntN(len(z.File))].Name
		}
		part, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = part.Write(body)
		}
		if err != nil {
			return Bytes(r, data)
		}
	}
	if w.Close() != nil {
		return Bytes(r, data)
	}
	return out.Bytes()
}

// Calls are words that a program may get.
var Calls = []string{"torch.relu", "torch.cat", "torch.stack", "torch.unbind", "torch.zeros", "torch.ones",
	"torch.add", "torch.mul", "torch.matmul", "torch.reshape", "torch.view", "torch.transpose", "torch.permute",
	"torch.slice", "torch.select", "torch.unsqueeze", "torch.squeeze", "torch.expand", "torch.chunk", "torch.split",
	"torch.conv2d", "torch._convolution", "torch.max_pool2d", "torch.adaptive_avg_pool2d", "torch.softmax",
	"torch.layer_norm", "torch.group_norm", "torch.batch_norm", "torch.embedding", "torch.index", "torch.gather",
	"torch.scatter", "torch.sum", "torch.mean", "torch.max", "torch.topk", "torch.sort", "torch.where",
	"torch.masked_fill", "torch.arange", "torch.full", "torch.new_full", "torch.repeat", "torch.repeat_interleave",
	"torch.tril", "torch.triu", "torch.einsum", "torch.bmm", "torch.linear", "torch.lstm", "torch.gelu", "torch.pad",
	"torch.constant_pad_nd", "torch.upsample_nearest2d", "torch.flatten", "torch.size", "torch.dim", "torch.to",
	"torch.add_", "torch.copy_", "torch.fill_", "torch.zero_", "torch.eye", "torch.cumsum", "torch.norm",
	"torch.linalg_svd", "torch.linalg_inv", "torch.nonzero", "torch.bincount", "torch.tensor_split",
	"ops.prim.NumToTensor", "ops.prim.data", "torch.append", "torch.len", "int", "float", "bool", "annotate", "range",
	"self", "None", "True", "False", "input", "x", "[]", "[x]*100", "while", "for", "if", "return", "1000000"}
