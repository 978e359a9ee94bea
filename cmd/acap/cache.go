package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/store"
)

func init() {
	register(command{"cache", "show and clean the cache on disk that ACAP_CACHE names", cache})
}

func cache(args []string) error {
	f := newFlags("cache", "ls|why|gc [FILE] [flags]")
	dir := f.String("dir", "", "the `folder` of the cache (default: what "+store.Variable+" says)")
	asJSON := f.Bool("json", false, "print JSON")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) == 0 || len(rest) > 2 || len(rest) == 2 && rest[0] != "why" {
		f.Usage()
		return errUsage
	}
	if !slices.Contains([]string{"ls", "why", "gc"}, rest[0]) {
		return commandline.Errorf("there is no %q; there are ls, why and gc", rest[0])
	}
	if *dir == "" {
		*dir = os.Getenv(store.Variable)
	}
	if *dir == "" {
		return commandline.Errorf("no folder: set %s or give -dir", store.Variable)
	}
	limit, err := environment.Bytes(store.LimitVariable, 0)
	if err != nil && os.Getenv(store.LimitVariable) != "" {
		return err
	}
	if _, err := os.Stat(*dir); err != nil && *dir != os.Getenv(store.Variable) { // that one is made by the first program
		return err
	}
	// Entries are written by programs that use acap, so that another version is no problem here.
	s := store.Open(*dir, limit, store.Version())
	switch rest[0] {
	case "ls":
		return cacheList(s, *asJSON, "", func(store.Entry) bool { return true })
	case "why":
		if len(rest) == 2 {
			return cacheList(s, *asJSON, rest[1], func(e store.Entry) bool { return strings.HasPrefix(e.File, rest[1]) })
		}
		return cacheList(s, *asJSON, "", func(e store.Entry) bool { return e.Problem != "" })
	}
	files, bytes, err := s.GC()
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"removed": files, "bytes": bytes})
	}
	fmt.Fprintf(stdout, "removed %d files, %s\n", files, buf.Size(bytes))
	return nil
}

// cacheList prints entries and what is wrong with them. Entries of a name have to be there.
func cacheList(s *store.Store, asJSON bool, name string, wanted func(store.Entry) bool) error {
	all, err := s.List()
	if err != nil {
		return err
	}
	list := []store.Entry{}
	var total int64
	for _, e := range all {
		if wanted(e) {
			list = append(list, e)
			total += e.Bytes
		}
	}
	if name != "" && len(list) == 0 {
		return fmt.Errorf("no entry in %s begins with %q; acap cache ls lists all %d", s.Dir(), name, len(all))
	}
	if asJSON {
		return json.NewEncoder(stdout).Encode(list)
	}
	for _, e := range list {
		what := e.Kind
		if e.Title != "" {
			what += ": " + e.Title
		}
		state := "used"
		if e.Problem != "" {
			state = "not used: " + e.Problem
		}
		fmt.Fprintf(stdout, "%s  %8s  %s  %s  %s\n", e.File, buf.Size(e.Bytes), e.Used.Format(time.DateTime), state, what)
	}
	fmt.Fprintf(stdout, "%d entries, %s in %s\n", len(list), buf.Size(total), s.Dir())
	return nil
}
