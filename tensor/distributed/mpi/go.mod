module github.com/go-acap/acap/tensor/distributed/mpi

go 1.26.0

require (
	github.com/go-acap/acap v0.0.0-20261130202138-76314c4e8130
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/x448/float16 v0.8.4 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/image v0.30.0 // indirect
	golang.org/x/text v0.28.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/go-acap/acap => ../../..
