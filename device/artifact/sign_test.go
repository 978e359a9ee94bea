package artifact_test

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/artifact"
)

// A signed file runs as any other; its signature is of all of it, and of no other file.
func TestSign(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	other, _, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	path := written(t, artifact.Options{Sign: private})
	f, err := artifact.Open(path)
	require.NoError(t, err)
	require.Equal(t, public, f.Signer())
	require.NoError(t, f.Verify(public))
	require.ErrorIs(t, f.Verify(other), artifact.ErrSignature)
	require.ErrorContains(t, f.Verify(other), "another key")
	exe, notice, err := f.Load(context.Background(), nil)
	require.NoError(t, err)
	require.Empty(t, notice)
	same(t, expected(t), run(t, exe))
	exe.Close()
	require.NoError(t, f.Check(context.Background()))

	var text strings.Builder
	require.NoError(t, f.Describe(&text))
	require.Contains(t, text.String(), fmt.Sprintf("Ed25519, of key %x", public))
	for _, s := range f.Sections() {
		require.Contains(t, text.String(), fmt.Sprintf("%d", s.Offset), s.Name)
	}

	plain, err := artifact.Open(written(t, artifact.Options{}))
	require.NoError(t, err)
	text.Reset()
	require.NoError(t, plain.Describe(&text))
	require.Regexp(t, `signature +none`, text.String())
	require.Nil(t, plain.Signer())
	require.ErrorContains(t, plain.Verify(public), "not signed")

	// One section in another form, with its checksums right, and the old signature.
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	end := len(data) - 16 - 32 - 64
	c := unpack(t, data[:end])
	for i, part := range c.parts {
		form := append([]byte(nil), part...)
		form[len(form)/2] ^= 1
		altered := filepath.Join(t.TempDir(), "altered.acap")
		require.NoError(t, os.WriteFile(altered, append(c.pack(t, i, form), data[end:]...), 0o600))
		f, err := artifact.Open(altered)
		require.NoError(t, err, "checksums do not notice")
		require.ErrorIs(t, f.Verify(public), artifact.ErrSignature, c.name(i))
		text.Reset()
		require.NoError(t, f.Describe(&text))
		require.Contains(t, text.String(), "wrong: the file was altered")
		require.Error(t, f.Check(context.Background()), "nor does the module give it: %s", c.name(i))
	}
}

// Check notices a plan that computes something else than the module, as somebody may have put there.
func TestCheck(t *testing.T) {
	opts := artifact.Options{Machines: []string{"npu1"}}
	one, err := os.ReadFile(written(t, opts))
	require.NoError(t, err)
	f, err := artifact.Open(written(t, opts))
	require.NoError(t, err)
	require.NoError(t, f.Check(context.Background()))
	c := unpack(t, one)
	for i := range c.parts {
		if c.name(i) == "mapping/npu1" {
			path := filepath.Join(t.TempDir(), "other.acap")
			require.NoError(t, os.WriteFile(path, c.pack(t, i, append([]byte(nil), c.parts[i][:len(c.parts[i])-1]...)), 0o600))
			f, err := artifact.Open(path)
			require.NoError(t, err)
			err = f.Check(context.Background())
			require.ErrorIs(t, err, artifact.ErrDiffers)
			require.ErrorContains(t, err, `section "mapping/npu1"`)
			require.NoError(t, use(path, acap.Device()), "and it runs: mappings are searched for again")
		}
	}
}

// Keys are read in the forms that openssl writes.
func TestKeys(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return path
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	key := write("key.pem", "PRIVATE KEY", der)
	got, err := artifact.ReadPrivateKey(key)
	require.NoError(t, err)
	require.Equal(t, private, got)
	der, err = x509.MarshalPKIXPublicKey(public)
	require.NoError(t, err)
	pub := write("pub.pem", "PUBLIC KEY", der)
	read, err := artifact.ReadPublicKey(pub)
	require.NoError(t, err)
	require.Equal(t, public, read)
	_, err = artifact.ReadPublicKey(key)
	require.ErrorContains(t, err, "no PUBLIC KEY")
	_, err = artifact.ReadPrivateKey(write("bad.pem", "PRIVATE KEY", []byte("x")))
	require.ErrorContains(t, err, "bad.pem")
	_, err = artifact.ReadPrivateKey(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
