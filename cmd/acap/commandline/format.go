package commandline

import (
	"os"
	"path/filepath"
	"strings"
)

// formats are what the files hold that are read and written here and by the programs of a terminal, by the last
// extension of their names.
var formats = map[string]string{
	".acap":        "a compiled model",
	".csv":         "a table of comma-separated values",
	".gz":          "a compressed file",
	".html":        "a web page",
	".jpeg":        "a JPEG picture",
	".jpg":         "a JPEG picture",
	".json":        "JSON",
	".mlir":        "MLIR",
	".npy":         "an array of NumPy",
	".npz":         "an archive of arrays of NumPy",
	".onnx":        "a model of ONNX",
	".pdf":         "a PDF document",
	".png":         "a PNG picture",
	".pt":          "a model of TorchScript",
	".pt2":         "a model of torch.export",
	".safetensors": "a file of safetensors",
	".svg":         "an SVG picture",
	".tsv":         "a table of tab-separated values",
	".txt":         "text",
	".vcd":         "a value change dump",
	".xlsx":        "a spreadsheet",
}

// CheckFolder refuses the name of a file to write in a folder that is not there: what a command gives would be lost.
func CheckFolder(flag, path string) error {
	if path == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return Errorf("-%s %s: %w", flag, path, err)
	}
	return nil
}

// CheckPicture refuses the name of a drawing to write if the name ends in neither .svg nor .png. The ending gives the
// format.
func CheckPicture(flag, path string) error {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case path == "", ext == ".svg", ext == ".png":
		return CheckFolder(flag, path)
	}
	return Errorf("-%s %s: the name must end in .svg or .png, which gives the format", flag, path)
}

// CheckFormat refuses the name of a file to write if the name's ending belongs to another format than the flag writes.
// The flag's format has the given extension, such as ".svg". A name without an extension, or with one that no format
// here has, is taken, but for "-", which other programs have for standard output.
func CheckFormat(flag, path, extension string) error {
	if path == "-" {
		return Errorf("-%s -: a file is written, and nothing to standard output: name a file, such as out%s, or ./-", flag, extension)
	}
	ext := strings.ToLower(filepath.Ext(path))
	if ext == extension || formats[ext] == "" {
		return CheckFolder(flag, path)
	}
	return Errorf("-%s %s: the file becomes %s, and its name says %s: name it %s", flag, path, formats[extension], formats[ext],
		strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))+extension)
}
