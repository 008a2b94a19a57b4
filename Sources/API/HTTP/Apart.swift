/// Does something in a task of its own, on the connection's thread.
///
/// A task keeps the deepest stack that it ever had, and a connection's task lives as long as the connection. So what is deep, and
/// over long before, leaves its stack with another.
func apart<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task(executorPreference: LoopExecutor.current, operation: body)
    return try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        task.cancel()
    }
}
