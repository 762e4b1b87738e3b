// A tensor plus the transpose of another. The transpose is a view: the kernel
// reads tiles of %y through shared memory (on a CPU through a buffer of a
// tile), and nothing is copied first.
func.func @transpose_add(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %t = ew.transpose %y [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %sum = ew.add %x, %t : tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}
