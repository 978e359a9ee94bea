package artifact

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/inputfile"
)

// signatureMagic starts what follows the sections of a signed file: the key that is to verify it, and the signature.
const (
	signatureMagic = "ACAP signature1\n"
	trailer        = len(signatureMagic) + ed25519.PublicKeySize + ed25519.SignatureSize
)

// ErrSignature is the error of a file that is not signed, or not with the key that is asked for, or altered since.
var ErrSignature = errors.New("the signature is not right")

// signed is the text that is signed: the digest of all bytes before the key in the file, and the purpose of the
// signature.
func signed(data []byte) []byte {
	sum := sha512.Sum512(data)
	return append([]byte("acap artifact\n"), sum[:]...)
}

// sign returns a file with a signature.
func sign(data []byte, key ed25519.PrivateKey) []byte {
	signature := ed25519.Sign(key, signed(data))
	data = append(data, signatureMagic...)
	data = append(data, key.Public().(ed25519.PublicKey)...)
	return append(data, signature...)
}

// Signer returns the key that the file names as its signer, or nil if the file is not signed. [File.Verify] checks the
// signature.
func (f *File) Signer() ed25519.PublicKey {
	if f.signature == nil {
		return nil
	}
	return bytes.Clone(f.signature[len(signatureMagic):][:ed25519.PublicKeySize])
}

// Verify returns an error that wraps [ErrSignature] unless all of the file is as the owner of a key signed it.
func (f *File) Verify(key ed25519.PublicKey) error {
	switch {
	case len(key) != ed25519.PublicKeySize:
		return fmt.Errorf("%s: a key of %d bytes", f.path, len(key))
	case f.signature == nil:
		return fmt.Errorf("%s: %w: it is not signed", f.path, ErrSignature)
	case !f.Signer().Equal(key):
		return fmt.Errorf("%s: %w: it is signed with another key", f.path, ErrSignature)
	case !ed25519.Verify(key, signed(f.data), f.signature[len(signatureMagic)+ed25519.PublicKeySize:]):
		return fmt.Errorf("%s: %w: it was altered after it was signed", f.path, ErrSignature)
	}
	return nil
}

// ReadPrivateKey reads an Ed25519 key in PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` writes it. Errors name
// the file; a key of another kind is one.
func ReadPrivateKey(path string) (ed25519.PrivateKey, error) {
	key, err := readKey(path, "PRIVATE KEY", x509.ParsePKCS8PrivateKey)
	if err != nil {
		return nil, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s: a key of another kind than Ed25519", path)
	}
	return private, nil
}

// ReadPublicKey reads an Ed25519 key in PEM (PKIX), as `openssl pkey -pubout` writes it. Errors name the file; a key of
// another kind is one.
func ReadPublicKey(path string) (ed25519.PublicKey, error) {
	key, err := readKey(path, "PUBLIC KEY", x509.ParsePKIXPublicKey)
	if err != nil {
		return nil, err
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("%s: a key of another kind than Ed25519", path)
	}
	return public, nil
}

func readKey(path, kind string, parse func([]byte) (any, error)) (any, error) {
	text, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != kind {
		return nil, fmt.Errorf("%s: no %s in PEM", path, kind)
	}
	key, err := parse(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}
