package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/cmd/acap/webpage"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy/bundle"
	"github.com/go-acap/acap/lazy/explorer"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

func init() {
	register(command{"view", "show a model, a recorded bundle or a program in a web page", view})
}

type viewFlags struct {
	deviceFlags
	inputs       commandline.Inputs
	output, addr string
	compare, dir string
}

func view(args []string) error {
	var o viewFlags
	f := newFlags("view", "MODEL|BUNDLE|PROGRAM [-o page.html | -addr HOST:PORT] [-compare OTHER] [flags]")
	o.deviceFlags.Flags(f)
	o.inputs.Flags(f, "an input `file` to compile for and to time (default: input_N.npy beside the model)", "")
	f.StringVar(&o.output, "o", "", "write the page to this `file` and do not serve it")
	f.StringVar(&o.addr, "addr", "127.0.0.1:8017", "the `address` where to serve the page; port 0 takes a free one")
	f.StringVar(&o.compare, "compare", "", "a second `model` or bundle to stand beside the first, after @ on another device: other.onnx@acap:npu2")
	f.StringVar(&o.dir, "source", ".", "the `folder` with the sources of recorded programs")
	model, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if o.output != "" && o.IsGiven("addr") {
		return commandline.Errorf("-o writes the page and serves nothing: leave out -addr")
	}
	if err := commandline.CheckFormat("o", o.output, ".html"); err != nil {
		return err
	}
	if info, err := os.Stat(o.dir); err != nil || !info.IsDir() {
		return commandline.Errorf("-source %s: there is no such folder", o.dir)
	}
	e, err := o.open(model)
	if err != nil {
		return err
	}
	defer e.Close()
	if o.output != "" {
		p := newProgress("view", len(e.Parts()))
		e.OnPart = func(name string, number, of int) { // each takes long
			p.last = time.Time{}
			p.update(number, name)
			beat.does("making part %d of %d, %s,", number, of, name)
		}
		defer p.finish()
		return atomicfile.Write(o.output, func(w io.Writer) error { return e.WritePage(context.Background(), w) })
	}
	return serve(e, o.addr)
}

func (o *viewFlags) open(path string) (*explorer.Explorer, error) {
	open := func() (device.Device, error) { return o.OpenModel(path) }
	if modelfile.IsBundle(path) {
		open = o.Open
	}
	dev, err := open()
	if err != nil {
		return nil, err
	}
	e, err := o.explorer(path, dev)
	if err != nil || o.compare == "" {
		return e, err
	}
	other := o.compare
	if i := strings.LastIndexByte(other, '@'); i >= 0 {
		if dev, err = device.Open(other[i+1:]); err != nil {
			return nil, commandline.WrongName(other[i+1:], err)
		}
		other = other[:i]
	}
	second, err := o.explorer(other, dev)
	if err != nil {
		return nil, err
	}
	e.Compare(second)
	return e, nil
}

// explorer makes an explorer of a file.
func (o *viewFlags) explorer(path string, dev device.Device) (*explorer.Explorer, error) {
	p := explorer.Program{Name: filepath.Base(path), Device: dev}
	if dir := filepath.Base(filepath.Dir(path)); dir != "." && strings.HasPrefix(p.Name, "model.") {
		p.Name = dir + "/" + p.Name
	}
	p.Source = explorer.SourceTree(o.dir)
	if modelfile.IsBundle(path) {
		b, err := bundle.Read(path)
		if err != nil {
			return nil, err
		}
		p.Module, p.Inputs = b.Program, b.Inputs
		p.Note = fmt.Sprintf("recorded %s on %s with %s", b.About.Time.Format(time.DateTime), b.About.Device, b.About.Go)
		return explorer.New(p)
	}
	var err error
	if p.Module, p.Inputs, err = o.inputs.ModuleToRun(path); err != nil {
		return nil, err
	}
	switch file, _ := torchscript.ProgramOf(path); {
	case modelfile.KindOf(path) == modelfile.Torch:
		p.Source = explorer.SourceArchive(file)
	case strings.EqualFold(filepath.Ext(path), ".mlir"): // text, where bytecode has other endings
		p.Source = explorer.SourceFile(path)
	}
	e, err := explorer.New(p)
	if err != nil {
		return nil, inputfile.Named(path, err)
	}
	return e, nil
}

// serve serves the page until an interrupt ends the process.
func serve(e http.Handler, addr string) error {
	listener, err := webpage.Listen(addr)
	if err != nil {
		return commandline.Errorf("-addr %w", err)
	}
	fmt.Fprintf(stdout, "http://%s/\n", listener.Addr())
	beat.rests()
	return webpage.Serve(listener, addr, e)
}
