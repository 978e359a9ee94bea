package acap_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// heavy are modules that a program does not link unless it draws or tests.
var heavy = []string{"gonum.org/v1/plot", "codeberg.org/go-fonts", "codeberg.org/go-pdf", "codeberg.org/go-latex", "git.sr.ht/~sbinet/gg",
	"github.com/ajstarks/svgo", "github.com/golang/freetype", "github.com/stretchr/testify", "github.com/pkg/profile"}

// draws are the packages that are there to draw.
var draws = []string{"/tensor/train/trainplot", "/device/acap/sweep/sweepplot", "/tensor/distributed/plan/planplot", "/llm/traffic/trafficplot"}

// TestDependencies: no package that a program imports brings what draws plots or what tests need, except those that draw.
// Programs of this module may.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{if ne .Name "main"}}{{.ImportPath}} {{join .Deps " "}}{{end}}`, "./...").Output()
	require.NoError(t, err)
	packages, drawing := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, deps, _ := strings.Cut(line, " ")
		path = strings.TrimPrefix(path, module)
		packages++
		mayDraw := path == "/bench" || strings.HasPrefix(path, "/cmd/") || strings.HasPrefix(path, "/tools/")
		for _, d := range draws {
			mayDraw = mayDraw || path == d
		}
		for _, d := range strings.Fields(deps) {
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
	require.Greater(t, packages, 100)
	require.NotZero(t, drawing, "the packages that draw are found")
}
