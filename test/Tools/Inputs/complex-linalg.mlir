#identity = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>) -> (tensor<?xcomplex<f32>>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xcomplex<f32>>
  %z = tensor.empty(%n) : tensor<?xcomplex<f32>>
  %r = tensor.empty(%n) : tensor<?xf32>
  %0:2 = linalg.generic {indexing_maps = [#identity, #identity, #identity, #identity], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) outs(%z, %r : tensor<?xcomplex<f32>>, tensor<?xf32>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %o: complex<f32>, %p: f32):
    %c = complex.constant [0.5 : f32, -2.0 : f32] : complex<f32>
    %m = complex.mul %a, %b : complex<f32>
    %j = complex.conj %m : complex<f32>
    %s = complex.add %j, %c : complex<f32>
    %abs = complex.abs %a : complex<f32>
    linalg.yield %s, %abs : complex<f32>, f32
  } -> (tensor<?xcomplex<f32>>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xcomplex<f32>>, tensor<?xf32>
}
