package acap_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// heavy are modules that a program does not link unless it draws or tests.
var heavy = []string{"gonum.org/v1/plot", "codeberg.org/go-fonts", "codeberg.org/go-pdf", "codeberg.org/go-latex", "git.sr.ht/~sbinet/gg",
	"github.com/ajstarks/svgo", "github.com/golang/freetype", "github.com/stretchr/testify", "github.com/pkg/profile"}

// servers are packages that a program does not link unless it serves: expvar adds the program's command line to what
// any server of the process tells.
var servers = []string{"net/http", "expvar"}

// serve are the packages that are there to serve.
var serve = []string{"/lazy/explorer", "/llm/serve"}

// draws are the packages that are there to draw.
var draws = []string{"/tensor/train/trainplot", "/device/acap/sweep/sweepplot", "/tensor/distributed/plan/planplot", "/llm/traffic/trafficplot"}

// TestDependencies: no package that a program imports brings what draws plots, what tests need or a server, except
// those that draw or serve. Programs of this module may.
func TestDependencies(t *testing.T) {
	all, err := packages()
	require.NoError(t, err)
	count, drawing, serving := 0, 0, 0
	for path, p := range all {
		if p.Name == "main" {
			continue
		}
		path = strings.TrimPrefix(path, module)
		count++
		program := path == "/bench" || strings.HasPrefix(path, "/cmd/") || strings.HasPrefix(path, "/tools/")
		mayDraw, mayServe := program || slices.Contains(draws, path), program || slices.Contains(serve, path)
		for _, d := range p.Deps {
			if slices.Contains(servers, d) {
				serving++
				if !mayServe {
					t.Errorf("%s brings %s", path, d)
				}
			}
			for _, h := range heavy {
				if d != h && !strings.HasPrefix(d, h+"/") {
					continue
				}
				drawing++
				if !mayDraw {
					t.Errorf("%s brings %s", path, d)
				}
			}
		}
	}
	require.Greater(t, count, 100)
	require.NotZero(t, drawing, "the packages that draw are found")
	require.NotZero(t, serving, "the packages that serve are found")
}
