// RUN: ew-opt %s --ew-emulate -split-input-file -verify-diagnostics

gpu.module @shuffles {
  gpu.func @k(%x: i32) kernel {
    %w = arith.constant 32 : i32
    // expected-error @below {{cannot be emulated on the CPU}}
    %y, %ok = gpu.shuffle xor %x, %w, %w : i32
    gpu.return
  }
}

// -----

gpu.module @helper {
  // expected-error @below {{cannot be emulated on the CPU: it is no kernel of one block}}
  gpu.func @f() {
    gpu.return
  }
}

// -----

gpu.module @private {
  // expected-error @below {{cannot be emulated on the CPU: it has private memory}}
  gpu.func @k() private(%own: memref<4xf32, 5>) kernel {
    gpu.return
  }
}

// -----

gpu.module @indices {
  // expected-error @below {{cannot be emulated on the CPU: it has shared memory that is no number of integers or floating point}}
  gpu.func @k() workgroup(%shared: memref<4xindex, 3>) kernel {
    gpu.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @host(%n: index) {
    // expected-error @below {{cannot be emulated on the CPU: kernels are launched by ew.launch there}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
