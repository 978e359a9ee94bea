package acap_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// link is a link of Markdown to a file of the repository.
var link = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// TestLicences: what has a licence of its own is not said to be the project's.
func TestLicences(t *testing.T) {
	text, err := os.ReadFile("REUSE.toml")
	require.NoError(t, err)
	others := 0
	err = filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "LICENSE" || path == "LICENSE" {
			return err
		}
		others++
		own, err := os.ReadFile(path)
		require.NoError(t, err)
		_, owner, ok := strings.Cut(strings.SplitN(string(own), "\n", 2)[0], "Copyright (c) ")
		require.True(t, ok, path)
		require.Contains(t, string(text), "path = \""+filepath.ToSlash(filepath.Dir(path))+"/**\"\nprecedence = \"override\"\n"+
			"SPDX-FileCopyrightText = \""+owner+"\"\n")
		return nil
	})
	require.NoError(t, err)
	require.NotZero(t, others)
}

// TestRepository: the pages that people look for are there, their links lead somewhere, the index of examples has all,
// and each package says its licence.
func TestRepository(t *testing.T) {
	for _, name := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "examples/README.md"} {
		text, err := os.ReadFile(filepath.FromSlash(name))
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(filepath.FromSlash(name)), filepath.FromSlash(m[1])))
			require.NoError(t, err, "%s: a link", name)
		}
	}
	index, err := os.ReadFile("examples/README.md")
	require.NoError(t, err)
	programs, err := filepath.Glob("examples/*/doc.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, p := range programs {
		name := filepath.Base(filepath.Dir(p))
		require.Contains(t, string(index), "["+name+"]("+name+")")
	}
	err = filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "doc.go" {
			return err
		}
		text, err := os.ReadFile(path)
		require.True(t, strings.Contains(string(text), "SPDX-License-Identifier: Apache-2.0\n"), path)
		return err
	})
	require.NoError(t, err)
}
