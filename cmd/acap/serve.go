package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/cmd/acap/webpage"
	"github.com/go-acap/acap/llm"
	openai "github.com/go-acap/acap/llm/serve"
)

func init() {
	register(command{"serve", "answer OpenAI's interface with a language model", serveModel})
}

// serveFlags are the flags of serve beside the flags of the model.
type serveFlags struct {
	commandline.Language
	how      openai.Options
	addr     string
	keyFile  string
	keys     list
	origins  list
	patience time.Duration
}

func serveModel(args []string) error {
	o := serveFlags{}
	f := newFlags("serve", "MODEL [-addr HOST:PORT] [flags]")
	o.Flags(f)
	o.DraftFlags(f)
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "the `address` to listen at; port 0 takes a free one")
	f.StringVar(&o.how.Name, "name", "", "the `name` of the model for clients (default: the name of the file)")
	f.IntVar(&o.Language.Options.Sequences, "parallel", 8, "most `sequences` that are computed at once")
	f.IntVar(&o.Language.Options.CacheTokens, "cache", 0, "`tokens` of all sequences that the cache of keys and values has room for, rounded up to pages of 32; 0: as many as -parallel contexts have")
	f.IntVar(&o.how.Queue, "queue", 256, "most `requests` at once, those that wait among them; one more gets the status 429")
	f.IntVar(&o.how.MaxTokens, "n", 0, "most `tokens` of an answer whose request does not say; 0 for as many as the context and the cache have room for")
	f.DurationVar(&o.how.Timeout, "timeout", 0, "the longest `time` for an answer; 0 for any")
	f.DurationVar(&o.patience, "grace", 30*time.Second, "the `time` that answers have to end after SIGINT or SIGTERM")
	f.Var(&o.origins, "cors-origins", "an `origin` of web pages whose scripts may read answers, such as https://example.com; localhost for pages of this machine, * for all; repeat for more, or put commas between them. Without it no other page may")
	f.Var(&o.keys, "key", "a `key` that clients must show; repeat for more. Other users of the machine can read it: -keys is safer")
	f.StringVar(&o.keyFile, "keys", "", "a `file` with a key on each line")
	path, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	if o.how.Keys, err = o.allKeys(); err != nil {
		return err
	}
	for _, value := range o.origins {
		for origin := range strings.SplitSeq(value, ",") {
			origin = strings.TrimSuffix(strings.TrimSpace(origin), "/")
			if err := openai.CheckOrigin(origin); err != nil {
				return commandline.Errorf("-cors-origins: %w", err)
			}
			o.how.Origins = append(o.how.Origins, origin)
		}
	}
	if o.how.Name == "" {
		o.how.Name = strings.TrimSuffix(filepath.Base(filepath.Clean(path)), ".gguf")
	}
	return o.run(path)
}

// run listens, loads the model, and answers until a signal: then no request is taken, and answers have some time to
// end.
func (o *serveFlags) run(path string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := webpage.Listen(o.addr)
	if err != nil {
		return commandline.Errorf("-addr %w", err)
	}
	loading := &openai.Loading{Origins: o.how.Origins}
	var h http.Handler = loading
	if len(o.how.Keys) == 0 { // a page whose name was made to lead here has no key
		h = webpage.OwnAlone(listener, o.addr, h)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	m, err := o.loadMany(path)
	if err != nil {
		return errors.Join(err, server.Close())
	}
	defer m.Close()
	s := openai.New(m, o.how)
	loading.Ready(s)
	beat.rests()
	fmt.Fprintf(stdout, "http://%s/v1 serves %s\n", listener.Addr(), o.how.Name)
	if text := exposure(listener.Addr(), len(o.how.Keys)); text != "" {
		fmt.Fprintln(printable.Messages, "acap serve: warning: "+text)
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stop() // a second signal ends the process
	return o.end(s, server)
}

// exposure says what other machines may do and see at an address that is not of this machine alone.
func exposure(addr net.Addr, keys int) string {
	switch at, ok := addr.(*net.TCPAddr); {
	case !ok || at.IP.IsLoopback():
		return ""
	case keys == 0:
		return "other machines may ask without a key, and HTTP is not encrypted: give -keys, and have a proxy in front that speaks TLS"
	default:
		return "keys and texts pass unencrypted between machines: have a proxy in front that speaks TLS"
	}
}

// check names the first flag that says nothing.
func (o *serveFlags) check() error {
	for _, n := range []struct {
		name         string
		value, least int
	}{{"parallel", o.Language.Options.Sequences, 1}, {"queue", o.how.Queue, 1}, {"n", o.how.MaxTokens, 0}, {"cache", o.Language.Options.CacheTokens, 0}} {
		if n.value < n.least {
			return commandline.Errorf("-%s is %d, want at least %d", n.name, n.value, n.least)
		}
	}
	if o.how.Timeout < 0 {
		return commandline.Errorf("-timeout is %v, want at least 0, where 0 means no limit", o.how.Timeout)
	}
	if o.patience < 0 {
		return commandline.Errorf("-grace is %v, want at least 0", o.patience)
	}
	return nil
}

// loadMany loads the model with a cache for all sequences.
func (o *serveFlags) loadMany(path string) (*llm.Model, error) {
	how := &o.Language.Options
	if how.CacheTokens == 0 {
		how.CacheTokens = llm.EachContext
	}
	return o.Load(path)
}

// allKeys returns the keys of the flags and of the file.
func (o *serveFlags) allKeys() ([]string, error) {
	keys := append([]string(nil), o.keys...)
	if o.keyFile != "" {
		data, err := inputfile.ReadText(o.keyFile)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" {
				keys = append(keys, line)
			}
		}
		if len(keys) == 0 {
			return nil, fmt.Errorf("%s has no key", o.keyFile)
		}
	}
	return keys, nil
}

// end gives answers some time to end.
func (o *serveFlags) end(s *openai.Server, server *http.Server) error {
	fmt.Fprintln(printable.Messages, "acap serve: no more requests; answers end")
	patience, cancel := context.WithTimeout(context.Background(), o.patience)
	defer cancel()
	err := s.Shutdown(patience)
	if e := server.Shutdown(patience); err == nil {
		err = e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		_ = server.Close()
		return fmt.Errorf("answers had not ended after %v", o.patience)
	}
	return err
}
